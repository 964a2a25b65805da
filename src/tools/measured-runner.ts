import { isHoldfastError } from '../base/errors';
import type { AttemptOutcome, Metrics } from '../base/metrics';
import type { ToolRunner } from './runner';
import { type Redactor, withoutCredentials } from '../secrets/redactor';

/**
 * Reports duration and outcome of each attempt to the metrics. All registered tools count under the one name
 * `registered`, because callers choose their names.
 */
export function measuredRunner(runner: ToolRunner, metrics: Metrics): ToolRunner {
  if (!metrics.enabled) return runner;
  return {
    async run(step, attempt) {
      const started = performance.now();
      const tool = step.implementation.kind === 'builtin' ? step.toolName : 'registered';
      const report = (outcome: AttemptOutcome): void =>
        metrics.toolAttempt({ tool, outcome, seconds: (performance.now() - started) / 1_000 });
      try {
        const output = await runner.run(step, attempt);
        report('succeeded');
        return output;
      } catch (error) {
        report(attempt.cancellation.aborted ? 'cancelled' : toOutcome(error));
        throw error;
      }
    },
  };
}

function toOutcome(error: unknown): AttemptOutcome {
  if (!isHoldfastError(error)) return 'failed';
  if (error.code === 'TOOL_TIMEOUT') return 'timed_out';
  return error.retryable ? 'retried' : 'failed';
}

/**
 * Takes the credentials of a call out of its errors, which repeat them when a server or a registered tool says what it
 * refuses. An error is stored and shown by itself, where nothing says what was a credential.
 */
export function discreetRunner(runner: ToolRunner, redactor: Pick<Redactor, 'credentialsIn'>): ToolRunner {
  return {
    async run(step, attempt) {
      try {
        return await runner.run(step, attempt);
      } catch (error) {
        throw isHoldfastError(error) ? withoutCredentials(error, redactor.credentialsIn(step.args)) : error;
      }
    },
  };
}
