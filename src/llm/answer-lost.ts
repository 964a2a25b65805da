import type { ProviderName } from '../contracts/http/llm';
import { HoldfastError, isHoldfastError } from '../base/errors';

/** A model took a request, and may have charged for it, though its answer was lost: `MODEL_UNAVAILABLE`, retryable. */
export class AnswerLostError extends HoldfastError {
  constructor(provider: ProviderName, reason: string) {
    super('MODEL_UNAVAILABLE', `The model provider "${provider}" cannot answer: ${reason}`, {
      details: { provider, reason },
      retryable: true,
    });
  }
}

/** Whether a call that failed may have been charged for: it was cut off by its time or by its caller, or its answer was lost. */
export function mayBeCharged(error: unknown, signal: AbortSignal): boolean {
  if (signal.aborted || error instanceof AnswerLostError) return true;
  return isHoldfastError(error) && error.code === 'MODEL_TIMEOUT';
}
