import type { Generated } from '../contracts/http/llm';
import { isHoldfastError } from '../base/errors';
import type { Metrics, ModelOutcome } from '../base/metrics';
import type { CallContext, LlmProvider } from './provider';

/** Reports the duration, the outcome and the tokens of each call to the metrics. */
export function measuredProvider(provider: LlmProvider, metrics: Metrics): LlmProvider {
  if (!metrics.enabled) return provider;

  function startMeasurement(operation: string): (outcome: ModelOutcome, answer?: Generated) => void {
    const started = performance.now();
    return (outcome, answer) => {
      const seconds = (performance.now() - started) / 1_000;
      metrics.modelCall({ provider: provider.name, operation, outcome, seconds });
      if (answer === undefined) return;
      const { promptTokens, completionTokens } = answer.usage;
      metrics.modelTokens({ provider: provider.name, kind: 'prompt', tokens: promptTokens });
      metrics.modelTokens({ provider: provider.name, kind: 'completion', tokens: completionTokens });
    };
  }

  async function measured<T extends Generated>(
    operation: string,
    { signal }: CallContext,
    call: () => Promise<T>,
  ): Promise<T> {
    const end = startMeasurement(operation);
    try {
      const answer = await call();
      end('answered', answer);
      return answer;
    } catch (error) {
      end(signal.aborted ? 'cancelled' : toOutcome(error));
      throw error;
    }
  }

  return {
    name: provider.name,
    defaultModel: provider.defaultModel,
    chat: (request, context) => measured('chat', context, () => provider.chat(request, context)),
    structured: (request, context) =>
      measured('structured', context, () => provider.structured(request, context)),
    chooseTools: (request, context) =>
      measured('choose_tools', context, () => provider.chooseTools(request, context)),
  };
}

function toOutcome(error: unknown): ModelOutcome {
  if (!isHoldfastError(error)) return 'failed';
  switch (error.code) {
    case 'MODEL_OUTPUT_INVALID':
      return 'invalid';
    case 'MODEL_TIMEOUT':
      return 'timed_out';
    case 'MODEL_UNAVAILABLE':
      return 'unavailable';
    default:
      return 'failed';
  }
}
