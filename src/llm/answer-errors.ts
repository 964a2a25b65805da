import type { ProviderName, TokenUsage } from '../contracts/http/llm';
import { HoldfastError, type HoldfastErrorOptions, isHoldfastError } from '../base/errors';

const CODE = 'MODEL_OUTPUT_INVALID';
/** `MODEL_OUTPUT_INVALID`, details `{ provider, model, problem, usage }`: the tokens that were used before. */
export class OutputInvalidError extends HoldfastError {
  readonly usage: TokenUsage;

  constructor({ provider, model, problem, usage }: InvalidOutput) {
    super(CODE, `The model "${model}" did not answer as asked: ${problem}`, {
      details: { provider, model, problem, usage },
    });
    this.usage = usage;
  }
}

/** A model took a request of a call, and may have charged for it, though the call failed: `MODEL_UNAVAILABLE`. */
export class AnswerLostError extends HoldfastError {
  constructor(message: string, options: HoldfastErrorOptions) {
    super('MODEL_UNAVAILABLE', message, options);
  }
}

/** Creates the error for an answer that was lost; another request may be answered. */
export function answerLost(provider: ProviderName, reason: string): AnswerLostError {
  return new AnswerLostError(`The model provider "${provider}" cannot answer: ${reason}`, {
    details: { provider, reason },
    retryable: true,
  });
}

/** A call waited for its place among the calls to its provider until its time was over, and was not sent: `MODEL_TIMEOUT`. */
export class NotSentError extends HoldfastError {
  constructor(message: string, options: HoldfastErrorOptions) {
    super('MODEL_TIMEOUT', message, options);
  }
}

/** Whether a call that failed may have been charged for: it was cut off by its time or by its caller, or an answer was lost. */
export function mayBeCharged(error: unknown, signal: AbortSignal): boolean {
  if (error instanceof NotSentError) return false;
  if (signal.aborted || error instanceof AnswerLostError) return true;
  return isHoldfastError(error) && error.code === 'MODEL_TIMEOUT';
}

interface InvalidOutput {
  readonly provider: ProviderName;
  readonly model: string;
  /** The mistake in the answer. */
  readonly problem: string;
  /** The tokens that the unusable answers took. */
  readonly usage: TokenUsage;
}
