import { isHoldfastError } from '../base/errors';
import { type Redactor, withoutCredentials } from '../secrets/redactor';
import type { ToolRunner } from './runner';

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
