import { countTokens } from '../../src/llm/token-count';
import { askedMemory, drawn, drawsFacts } from '../../test/support/fact-model';
import { startModelServer } from '../../test/support/model-server';
import { waitFor } from '../../test/support/wait';
import { freePort } from '../free-port';
import { median } from '../statistics';
import type { Life } from './life';
import { tellLife, withService } from './tell';

/**
 * What it costs that a model draws facts too. The model is a stand-in that finds nothing out, so these figures are of the plumbing
 * alone, and say nothing of how good the facts of a real model are.
 */
export interface ModelReport {
  readonly lives: number;
  readonly messages: number;
  /** Requests to the model that asked for facts. */
  readonly calls: number;
  /** Medians of a turn with the model and with the rules alone, milliseconds. */
  readonly on: number;
  readonly off: number;
  /** From the last answer to the last memory that was settled. */
  readonly settledMs: number;
  /** Means of one call, by the service's own estimate. */
  readonly promptTokens: number;
  readonly completionTokens: number;
  /** Facts that the stand-in has claimed. */
  readonly claims: number;
  /** What became of them. */
  readonly outcomes: readonly (readonly [outcome: string, facts: number])[];
}

const FIGURE = /^holdfast_model_facts(?:_total)?\{.*?outcome="(\w+)".*?\} (\d+)/gm;

/** Tells one life of each kind to a service whose model is a stand-in, and to one without a model. */
export async function benchModel(all: readonly Life[]): Promise<ModelReport> {
  const lives = [...new Map(all.map((life) => [life.kind, life])).values()];
  const messages = lives.reduce((sum, { sessions }) => sum + sessions.flat().length + 1, 0);
  const models = await startModelServer();
  const metrics = `127.0.0.1:${await freePort()}`;
  let claims = 0;
  models.otherwise(
    drawsFacts((memory) => {
      const facts = claimsOf(memory);
      claims += facts.length;
      return facts;
    }),
  );
  const settings = { MEMORY_FACTS: 'model', LOCAL_LLM_BASE_URL: models.url, METRICS_ADDRESS: metrics };
  const times = { on: [] as number[], off: [] as number[] };
  try {
    return await withService(settings, (on) =>
      withService({}, async (off) => {
        for (const [at, life] of lives.entries())
          for (const which of at % 2 === 0 ? (['on', 'off'] as const) : (['off', 'on'] as const))
            times[which].push(...(await tellLife(which === 'on' ? on : off, life)).times);
        const ended = performance.now();
        const asked = () => models.requests.filter((request) => askedMemory(request) !== undefined);
        await waitFor(() => asked().length >= messages, { what: 'the model to read all memories' });
        const outcomes = await untilCounted(metrics, () => claims);
        const settledMs = performance.now() - ended;
        const prompts = asked().map(({ body }) =>
          countTokens(JSON.stringify([body.messages, body.response_format])),
        );
        const answers = asked().map((request) =>
          countTokens(JSON.stringify({ facts: claimsOf(askedMemory(request) ?? '') })),
        );
        return {
          lives: lives.length,
          messages,
          calls: asked().length,
          on: median(times.on),
          off: median(times.off),
          settledMs,
          promptTokens: mean(prompts),
          completionTokens: mean(answers),
          claims,
          outcomes,
        };
      }),
    );
  } finally {
    await models.close();
  }
}

/**
 * What the stand-in claims of a memory, the same for the same text: the capitalised words and numbers inside of its sentences as
 * values, which are often no facts, and two that no check may let pass, a value and a quote that the memory has not.
 */
function claimsOf(memory: string): readonly object[] {
  const sentences = memory.split(/(?<=[.!?])\s+/);
  const found = sentences.flatMap((quote) =>
    [...quote.matchAll(/(?<=[\p{Ll},] )\p{Lu}\p{Ll}+|\d[\d.,:]*\d/gu)].map(([value]) =>
      drawn(quote, { attribute: 'favourite', value }),
    ),
  );
  const [quote = memory] = sentences;
  return [
    ...found.slice(0, 5),
    drawn(quote, { value: 'Zanzibar' }),
    drawn(`${quote} Indeed`, { value: 'Indeed' }),
  ];
}

/** Reads what became of all claims, once the service has counted them. */
async function untilCounted(
  address: string,
  claims: () => number,
): Promise<readonly (readonly [string, number])[]> {
  let outcomes: (readonly [string, number])[] = [];
  await waitFor(
    async () => {
      const text = await (await fetch(`http://${address}/metrics`)).text();
      outcomes = [...text.matchAll(FIGURE)].map(
        ([, outcome = '', count]) => [outcome, Number(count)] as const,
      );
      return outcomes.reduce((sum, [, count]) => sum + count, 0) >= claims();
    },
    { what: 'all claims to be checked' },
  );
  return outcomes;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
