import { Context } from '@temporalio/activity';
import { isHoldfastError, withDetails } from '../src/base/errors';

/**
 * Adds the name of a step to the failure of a local activity, whose input is not in the history, so that a reader of
 * the history knows which step failed.
 * @throws what `run` throws, with `name` in the details of a HoldfastError
 */
export async function namingFailure<T>(
  name: { readonly step: string; readonly toolName?: string },
  run: () => Promise<T>,
): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (!isHoldfastError(error) || !Context.current().info.isLocal) throw error;
    throw withDetails(error, name);
  }
}
