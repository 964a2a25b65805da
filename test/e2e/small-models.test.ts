import { answerOf, ask, asked, classifiesAs, initializeAgent, playsAgent, textsIn } from '../support/agent';
import { attached } from '../support/files';
import { addEpisodic, LEXICAL } from '../support/memories';
import {
  type Behaviour,
  fails,
  knowsNoModel,
  type ModelServer,
  says,
  slowly,
  startModelServer,
} from '../support/model-server';
import { type Service, startService } from '../support/service';
import { waitFor } from '../support/wait';

const CONTEXT_TOKENS = 1_024;
/** What llama.cpp says of itself with one slot. */
const ONE_SLOT = {
  '/v1/models': { object: 'list', data: [{ id: 'lone-model', owned_by: 'llamacpp' }] },
  '/props': { total_slots: 1, default_generation_settings: { n_ctx: CONTEXT_TOKENS } },
};
const ANSWER_MS = 300;
/** Less than eight answers take one after another, and more than one. */
const CALL_MS = 1_500;
const TURNS = 8;

let models: ModelServer;
let service: Service;

async function start(settings: Record<string, string> = {}): Promise<void> {
  models.tells(ONE_SLOT);
  service = await startService({ ...LEXICAL, LOCAL_LLM_BASE_URL: models.url, ...settings });
  await initializeAgent(service);
}

beforeAll(async () => {
  models = await startModelServer();
});
afterAll(() => models.close());

/** A server that works on one request at a time and counts those that come meanwhile. */
function oneAtATime() {
  const seen = { most: 0 };
  let open = 0;
  const behaviour: Behaviour = async (request, response) => {
    open += 1;
    seen.most = Math.max(seen.most, open);
    response.once('close', () => (open -= 1));
    // The service counts prompts itself if none is reported.
    await slowly(ANSWER_MS, says('Good day to you.', { usage: null }))(request, response);
  };
  return { seen, behaviour };
}

const turnsAtOnce = (prefix: string) =>
  Promise.all(
    Array.from({ length: TURNS }, (_, number) =>
      answerOf(ask(service, 'Hello, how are you today?', { userId: `${prefix}${number}` })),
    ),
  );

describe('a server with one slot and a small context', () => {
  beforeAll(() => start({ LLM_TIMEOUT_MS: String(CALL_MS), WORKER_MAX_MODEL_ACTIVITIES: '1' }));
  afterAll(() => service.stop());
  beforeEach(() => {
    models.reset();
    models.tells(ONE_SLOT);
  });

  test('is named in one line of the start, and its only model is used', () => {
    const message = 'the model server "local" answers and has the model "lone-model"';
    const lines = service.process.lines.filter(({ msg }) => msg === message);
    expect(lines).toMatchObject([{ provider: 'local', address: models.url, model: 'lone-model' }]);
  });

  test('answers eight turns at once one after another, within one call each and without an outage', async () => {
    const { seen, behaviour } = oneAtATime();
    models.otherwise(behaviour);
    const turns = await turnsAtOnce('slot');
    expect(turns.map(({ response }) => response)).toEqual(Array(TURNS).fill('Good day to you.'));
    expect(turns.map(({ metadata }) => metadata.degraded)).toEqual(Array(TURNS).fill([]));
    expect([seen.most, models.requests.length]).toEqual([1, TURNS]);
    expect(models.requests[0]?.body.model).toBe('lone-model');
  });

  test('reads as many memories as fit, and the turn says what was left out', async () => {
    models.otherwise(says('As you wish.'));
    const userId = 'forgetful';
    for (let number = 0; number < 12; number += 1) {
      const about = Array.from({ length: 24 }, (_, at) => `topic${number}word${at}`).join(' ');
      await addEpisodic(service, { userId, content: `My garden has ${about}` });
    }
    const options = { userId, maxMemoryResults: 20, memoryThreshold: 0, maxTokens: 200 };
    const { metadata } = await answerOf(ask(service, 'What does my garden have?', options));
    expect(metadata.degraded).toEqual([
      {
        service: 'llm',
        reason: `The model "lone-model" reads ${CONTEXT_TOKENS} tokens`,
        consequence: expect.stringMatching(/^left out of its prompt: \d+ memories$/),
      },
    ]);
    const [answer] = asked(models.requests, 'answer');
    const texts = answer === undefined ? [] : textsIn(answer);
    expect(texts.some((text) => text.includes('My garden has'))).toBe(true);
    // A token has three characters or more in such words.
    expect(texts.join('\n').length).toBeLessThan(CONTEXT_TOKENS * 5);
  });

  test('that fails is seen in the log, in health and in the turn, until it answers', async () => {
    const health = async () => (await service.get('/api/health/detailed')).body.data;
    models.otherwise(fails(500));
    for (const userId of ['ill1', 'ill2']) {
      const { metadata } = await answerOf(ask(service, 'Hello, how are you today?', { userId }));
      expect(metadata.degraded).toMatchObject([{ service: 'llm' }]);
    }
    const lines = service.process.lines.filter(({ msg }) => msg === 'a turn was made without its model');
    expect(lines).toMatchObject([{ step: 'answer', by: 'rules', provider: 'local', times: 1 }]);
    await waitFor(async () => (await health()).services.llm.status === 'degraded', {
      what: 'health to say that rules stand in',
    });
    const ill = await health();
    expect(ill).toMatchObject({
      status: 'healthy',
      services: {
        llm: { reason: expect.stringContaining('it answered 500'), providers: ['local', 'builtin'] },
      },
    });
    const { body } = await service.get('/api/health');
    expect([body.data.status, body.data.services.llm]).toEqual(['healthy', 'healthy']);
    models.otherwise(says('Well again.'));
    await answerOf(ask(service, 'Hello, how are you today?', { userId: 'well' }));
    await waitFor(async () => (await health()).services.llm.status === 'healthy', {
      what: 'health to say that the model answers',
    });
  });

  test('that does not have the model is an error of the request, though it is asked for the answer alone', async () => {
    models.otherwise(knowsNoModel());
    const { status, body } = await ask(service, 'Hello, how are you today?', { userId: 'unknown' });
    expect([status, body.error]).toEqual([400, 'Unknown model']);
    expect(body.details).toMatchObject({ provider: 'local', model: 'lone-model' });
  });

  test('is told apart from a budget that is too small, whose error says what is needed', async () => {
    const options = { budget: { maxTokens: 100, onExceeded: 'fail' } };
    const { status, body } = await service.post('/api/tools/mcp', { query: 'add 1 and 2', options });
    expect([status, body.message]).toEqual([500, 'Budget exhausted']);
    expect(body.details.needed).toBeGreaterThan(500);
    expect(body.details.needed).toBeLessThan(1_600);
    expect(models.requests).toEqual([]);
  });

  test('reads as much of the files as fits, planning and answering, and the turn says what was cut', async () => {
    const long = 'word '.repeat(20_000);
    const attachments = [
      attached('long.txt', 'text/plain', long),
      attached('short.txt', 'text/plain', 'short'),
    ];
    const contentOf = (purpose: 'plan' | 'answer'): string =>
      String(asked(models.requests, purpose)[0]?.body.messages.at(-1)?.content);
    const degraded = [
      {
        service: 'llm',
        reason: `The model "lone-model" reads ${CONTEXT_TOKENS} tokens`,
        consequence: expect.stringMatching(
          /^cut in its prompt: long.txt \(after \d+ of 100000 characters\)$/,
        ),
      },
    ];
    models.otherwise(playsAgent({ classify: classifiesAs('knowledge_search'), answer: says('Words.') }));
    const answered = await answerOf(ask(service, 'What are these files?', { userId: 'reader', attachments }));
    expect(answered.metadata.degraded).toEqual(degraded);
    expect(contentOf('answer')).toMatch(/cut="the first \d+ of 100000 characters"/);
    expect(contentOf('answer')).toContain('short');
    expect(contentOf('answer').length).toBeLessThan(CONTEXT_TOKENS * 6);

    models.otherwise(playsAgent({ classify: classifiesAs('tool_execution'), plan: says('Done with them.') }));
    const planned = await answerOf(
      ask(service, 'Calculate what these files say', {
        userId: 'planner',
        hintIntent: 'tool_execution',
        attachments,
      }),
    );
    expect(planned).toMatchObject({ response: 'Done with them.', metadata: { degraded } });
    expect(contentOf('plan')).toContain('short');
  });
});

describe('a queue that is too long', () => {
  beforeAll(() => start({ LLM_MAX_CONCURRENT: '1', LLM_MAX_WAIT_MS: '100' }));
  afterAll(() => service.stop());

  test('is what a turn says that was not asked in time', async () => {
    const { seen, behaviour } = oneAtATime();
    models.otherwise(behaviour);
    const turns = await turnsAtOnce('late');
    const late = turns.filter(({ metadata }) => metadata.degraded.length > 0);
    expect(late.length).toBeGreaterThan(0);
    expect(seen.most).toBe(1);
    for (const { metadata } of late)
      expect(metadata.degraded).toEqual([
        {
          service: 'llm',
          reason: expect.stringContaining('it takes one call at once (LLM_MAX_CONCURRENT)'),
          consequence: 'the built-in rules answered',
        },
      ]);
  });
});
