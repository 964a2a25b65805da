import { Context } from '@temporalio/activity';
import type { SessionName } from '../src/contracts/http/conversations';
import type { ProviderName, TokenUsage } from '../src/contracts/http/llm';
import type { SharedLimit } from '../src/contracts/runs/budgets';
import type { DrawFactsInput, DrawFactsStep } from '../src/contracts/runs/facts';
import { NO_USAGE } from '../src/contracts/runs/token-usage';
import { HoldfastError, isHoldfastError } from '../src/base/errors';
import type { Metrics } from '../src/base/metrics';
import type { LlmProvider } from '../src/llm/provider';
import type { SpendingLedger } from '../src/llm/spending-ledger';
import { withinAllowance } from '../src/llm/within-allowance';
import { askForFacts, type DrawnFact } from '../src/memory/facts/model/ask';
import type { ModelFacts } from '../src/memory/facts/model/model-facts';
import { OutputInvalidError } from '../src/llm/answer-errors';

export interface FactActivitiesPorts {
  readonly facts: Pick<ModelFacts, 'drawNext'>;
  /** @throws HoldfastError `MODEL_NOT_CONFIGURED` */
  readonly provider: (name: ProviderName) => LlmProvider;
  readonly ledger: SpendingLedger;
  /** The limits that calls for a session share with its turns. */
  readonly sharedLimits: (session: SessionName) => readonly SharedLimit[];
  readonly metrics: Pick<Metrics, 'modelFacts'>;
}

interface Answer {
  readonly drawn: readonly DrawnFact[];
  readonly usage: TokenUsage;
  /** Present if no model has given the facts. */
  readonly failed?: string;
}

/** The step of runs that draw facts by a model. It may be repeated. */
export interface FactActivities {
  /**
   * Draws the facts of the memory that is due first. If the model fails, gives no usable answer or exceeds a budget, the facts of
   * the rules stand alone.
   * @throws HoldfastError `STORE_UNAVAILABLE` (retryable), and what is no failure of the model
   */
  drawNextFacts(input: DrawFactsInput): Promise<DrawFactsStep>;
}

export function createFactActivities(ports: FactActivitiesPorts): FactActivities {
  const { facts, provider, ledger, sharedLimits, metrics } = ports;

  /** @throws HoldfastError as `LlmProvider.structured` does; `BUDGET_EXHAUSTED` */
  async function ask(
    { choice, timeoutMs, price }: DrawFactsInput,
    session: SessionName,
    text: string,
    signal: AbortSignal,
  ): Promise<Answer> {
    const shared = sharedLimits(session);
    const isPriced = price !== undefined || shared.every(({ maxCostUsd }) => maxCostUsd === undefined);
    if (!isPriced) throw new HoldfastError('BUDGET_EXHAUSTED', `The model "${choice.model}" has no price`);
    const allowance = { shared, price };
    const model = withinAllowance(provider(choice.provider), allowance, ledger);
    const answer = await askForFacts(model, text, choice, { signal, timeoutMs });
    const { usage } = answer;
    // After a useless answer of the model, the provider of rules answers with JSON that it finds in the memory itself.
    if (answer.provider !== choice.provider) return { drawn: [], usage, failed: 'MODEL_OUTPUT_INVALID' };
    return { drawn: answer.value.facts, usage };
  }

  return {
    async drawNextFacts(input) {
      const { cancellationSignal: signal } = Context.current();
      let { usage, failed }: Omit<Answer, 'drawn'> = { usage: NO_USAGE };
      const askOnce = async ({ userId, sessionId }: SessionName, text: string) => {
        try {
          const answer = await ask(input, { userId, sessionId }, text, signal);
          ({ usage, failed } = answer);
          return answer.drawn;
        } catch (error) {
          signal.throwIfAborted();
          if (!isHoldfastError(error) || !isOfModel(error)) throw error;
          if (error instanceof OutputInvalidError) usage = error.usage;
          failed = error.code;
          return [];
        }
      };
      const read = await facts.drawNext(input.owner, askOnce, signal);
      if (read === undefined) return { read: false, drawn: 0, refused: {}, usage };
      const { drawn, refused } = read;
      metrics.modelFacts({ outcome: 'drawn', facts: drawn });
      for (const [why, count] of Object.entries(refused)) metrics.modelFacts({ outcome: why, facts: count });
      return { read: true, drawn, refused, usage, failed };
    },
  };
}

function isOfModel({ code }: HoldfastError): boolean {
  return code.startsWith('MODEL_') || code === 'BUDGET_EXHAUSTED';
}
