import { startTimeLimit } from '../../base/async/time-limit';
import type { ClassificationOptions } from '../../contracts/http/intents';
import type { GenerationOptions, TokenUsage } from '../../contracts/http/llm';
import { addUsage, NO_USAGE } from '../../contracts/runs/token-usage';
import { retryDelay } from '../../contracts/retries';
import { HoldfastError, isHoldfastError, messageOf } from '../../base/errors';
import type { ResolvedModel } from '../../llm/model-providers';
import { OutputInvalidError } from '../../llm/output-invalid';
import { withRetries } from '../../base/http/retries';
import { askModel, type ModelAnswer, type Question } from './ask-model';
import { DEFAULTS } from './defaults';

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
  /** The error of the classification where there are no rules. */
  readonly error: HoldfastError;
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
 * @throws HoldfastError `CLASSIFICATION_FAILED`, `CLASSIFICATION_TIMEOUT`, `MODEL_UNKNOWN`; the signal's reason
 */
export async function askWithRetries(question: ModelQuestion): Promise<ModelVerdict | ModelFailure> {
  const { provider, model, query, options, signal } = question;
  const { maxRetries = DEFAULTS.maxRetries, timeout: timeoutMs = DEFAULTS.timeout } = options;
  const started = performance.now();
  const timedOut = (): HoldfastError => timeoutError(timeoutMs, performance.now() - started);
  const limit = startTimeLimit({ signal, timeoutMs, timedOut });
  let attempts = 0;
  let used = NO_USAGE;
  try {
    const {
      value,
      usage,
      model: answeredBy,
    } = await withRetries(
      () => {
        attempts += 1;
        const context = { signal: limit.signal, timeoutMs: limit.timeLeftMs() };
        return askModel(provider, question, toGenerationOptions(model, options), context);
      },
      {
        limit,
        maxAttempts: maxRetries,
        retryDelayMs: retryDelay,
        toError: (error) => {
          if (error instanceof OutputInvalidError) used = addUsage(used, error.usage);
          return toAttemptError(error);
        },
      },
    );
    return { answer: value, model: answeredBy, retries: attempts - 1, usage: addUsage(used, usage) };
  } catch (thrown) {
    signal.throwIfAborted();
    // A fallback must not hide that the caller named a model that does not exist.
    if (isHoldfastError(thrown) && thrown.code === 'MODEL_UNKNOWN') throw thrown;
    const isLate = limit.signal.aborted || (isHoldfastError(thrown) && thrown.code === 'MODEL_TIMEOUT');
    const error = isLate ? timedOut() : failedError(query, attempts, thrown);
    if (options.fallback !== true) throw error;
    return {
      error,
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
