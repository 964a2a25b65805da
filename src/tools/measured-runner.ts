import { isHoldfastError } from '../base/errors';
import type { AttemptOutcome, Metrics } from '../base/metrics';
import type { ToolRunner } from './runner';

/** Tells of each attempt how long it took and how it ended. Names that callers chose are one: `registered`. */
export function measuredRunner(runner: ToolRunner, metrics: Metrics): ToolRunner {
  if (!metrics.enabled) return runner;
  return {
    async run(step, attempt) {
      const started = performance.now();
      const tool = step.implementation.kind === 'builtin' ? step.toolName : 'registered';
      const tell = (outcome: AttemptOutcome): void =>
        metrics.toolAttempt({ tool, outcome, seconds: (performance.now() - started) / 1_000 });
      try {
        const output = await runner.run(step, attempt);
        tell('succeeded');
        return output;
      } catch (error) {
        tell(attempt.cancellation.aborted ? 'cancelled' : outcomeOf(error));
        throw error;
      }
    },
  };
}

function outcomeOf(error: unknown): AttemptOutcome {
  if (!isHoldfastError(error)) return 'failed';
  if (error.code === 'TOOL_TIMEOUT') return 'timed_out';
  return error.retryable ? 'retried' : 'failed';
}
