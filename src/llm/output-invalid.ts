import type { ProviderName, TokenUsage } from '../contracts/http/llm';
import { HoldfastError } from '../base/errors';

const CODE = 'MODEL_OUTPUT_INVALID';

export interface InvalidOutput {
  readonly provider: ProviderName;
  readonly model: string;
  /** The mistake in the answer. */
  readonly problem: string;
  /** The tokens that the unusable answers took. */
  readonly usage: TokenUsage;
}

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
