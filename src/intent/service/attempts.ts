import { startTimeLimit, withinTime } from '../../base/async/time-limit';
import type { ClassificationOptions } from '../../contracts/http/intents';
import type { GenerationOptions, TokenUsage } from '../../contracts/http/llm';
import { addUsage, NO_USAGE } from '../../contracts/runs/token-usage';
import { retryDelay } from '../../contracts/retries';
import type { ErrorCode } from '../../base/error-codes';
import { HoldfastError, isHoldfastError, messageOf } from '../../base/errors';
import { NotSentError } from '../../llm/answer-errors';
import type { ResolvedModel } from '../../llm/model-providers';
import { withRetries } from '../../base/http/retries';
import { askModel, type ModelAnswer, type Question } from './ask-model';
import { DEFAULTS } from './defaults';

/** How long the tokens of an attempt that was cut off are waited for, milliseconds. */
const COUNT_LIMIT_MS = 1_000;

/** The codes of failures that nothing stands in for. */
const NO_FALLBACK: ReadonlySet<string> = new Set<ErrorCode>(['MODEL_UNKNOWN', 'MODEL_LOOP']);

export interface ModelVerdict {
  readonly answer: ModelAnswer;
  /** The model that answered. */
  readonly model: string;
  /** Attempts beyond the first. */
  readonly retries: number;
  readonly usage: TokenUsage;
}

/** The model gave no answer, and the caller wants a fallback. */
export interface ModelFailure {
  /** The error of the classification if there are no rules. */
  readonly error: HoldfastError;
  /** Whether the budget of the run had no room for the call, which says nothing of the model. */
  readonly isOfBudget: boolean;
  readonly metadata: {
    /** Why the rules answer. */
    readonly fallback: string;
    readonly retries: number;
    readonly usage: TokenUsage;
  };
}

export interface ModelQuestion extends ResolvedModel, Question {
  readonly signal: AbortSignal;
}

/**
 * Asks a model until it answers, within the attempts and the time of the options.
 * @throws HoldfastError `CLASSIFICATION_FAILED`, `CLASSIFICATION_TIMEOUT`, `MODEL_UNKNOWN`, `MODEL_LOOP`; the signal's reason
 */
export async function askWithRetries(question: ModelQuestion): Promise<ModelVerdict | ModelFailure> {
  const { provider, model, query, options, signal } = question;
  const { maxRetries = DEFAULTS.maxRetries, timeout: timeoutMs = DEFAULTS.timeout } = options;
  const started = performance.now();
  const timedOut = (): HoldfastError => timeoutError(timeoutMs, performance.now() - started);
  const limit = startTimeLimit({ signal, timeoutMs, timedOut });
  let attempts = 0;
  let used = NO_USAGE;
  /** Resolves when the tokens of the latest attempt are counted, should it fail. */
  let counted = Promise.resolve();
  try {
    const {
      value,
      usage,
      model: answeredBy,
    } = await withRetries(
      () => {
        attempts += 1;
        const context = { signal: limit.signal, timeoutMs: limit.timeLeftMs() };
        const answer = askModel(provider, question, toGenerationOptions(model, options), context);
        counted = answer.then(
          () => undefined,
          (error: unknown) => {
            used = addUsage(used, usageOf(error));
          },
        );
        return answer;
      },
      {
        limit,
        maxAttempts: maxRetries,
        retryDelayMs: retryDelay,
        toError: toAttemptError,
      },
    );
    return { answer: value, model: answeredBy, retries: attempts - 1, usage: addUsage(used, usage) };
  } catch (thrown) {
    signal.throwIfAborted();
    // A fallback must not hide that the caller named a model that does not exist, or that models lead back to themselves.
    if (isHoldfastError(thrown) && NO_FALLBACK.has(thrown.code)) throw thrown;
    const isLate = limit.signal.aborted || (isHoldfastError(thrown) && thrown.code === 'MODEL_TIMEOUT');
    const error = isLate ? timedOut() : failedError(query, attempts, thrown);
    if (options.fallback !== true) throw error;
    // The limit does not wait for the end of the attempt that it cuts off.
    await withinTime(counted, COUNT_LIMIT_MS);
    return {
      error,
      isOfBudget: isHoldfastError(thrown) && thrown.code === 'BUDGET_EXHAUSTED',
      metadata: {
        fallback: error.message,
        retries: attempts - 1,
        usage: used,
      },
    };
  } finally {
    limit.end();
  }
}

/**
 * The failure of a classification that waited for its provider until its time was over.
 * @throws any other error; if the options want no fallback, `CLASSIFICATION_TIMEOUT`
 */
export function whereNotSent(error: unknown, { fallback }: ClassificationOptions): ModelFailure {
  if (!(error instanceof NotSentError)) throw error;
  const timeout = Number(error.details?.['timeout']);
  const late = new HoldfastError('CLASSIFICATION_TIMEOUT', error.message, {
    details: { timeout, actualTime: timeout },
  });
  if (fallback !== true) throw late;
  return {
    error: late,
    isOfBudget: false,
    metadata: { fallback: late.message, retries: 0, usage: NO_USAGE },
  };
}

/** Reads what a failed attempt is counted with: the tokens of unusable answers, or the prompt of one that was cut off. */
function usageOf(error: unknown): TokenUsage {
  const details = isHoldfastError(error)
    ? (error.details as { readonly usage?: TokenUsage } | undefined)
    : {};
  return details?.usage ?? NO_USAGE;
}

function toGenerationOptions(model: string, options: ClassificationOptions): GenerationOptions {
  return {
    model,
    temperature: options.temperature ?? DEFAULTS.temperature,
    maxTokens: options.maxTokens ?? DEFAULTS.maxTokens,
    topP: options.topP ?? DEFAULTS.topP,
  };
}

/** Makes an invalid answer retryable, because the model may answer correctly the next time. */
function toAttemptError(thrown: unknown): HoldfastError {
  if (!isHoldfastError(thrown)) {
    return new HoldfastError('INTERNAL', 'The classification failed unexpectedly', { cause: thrown });
  }
  if (thrown.code !== 'MODEL_OUTPUT_INVALID') return thrown;
  return new HoldfastError(thrown.code, thrown.message, { retryable: true, cause: thrown });
}

function timeoutError(timeout: number, took: number): HoldfastError {
  const actualTime = Math.round(took);
  return new HoldfastError('CLASSIFICATION_TIMEOUT', `The model did not answer within ${timeout} ms`, {
    details: { timeout, actualTime },
  });
}

function failedError(query: string, attempts: number, thrown: unknown): HoldfastError {
  const lastError = messageOf(thrown);
  const tried = attempts === 1 ? '1 attempt' : `${attempts} attempts`;
  return new HoldfastError(
    'CLASSIFICATION_FAILED',
    `The query was not classified after ${tried}: ${lastError}`,
    {
      details: { query, attempts, lastError },
      cause: thrown,
    },
  );
}
