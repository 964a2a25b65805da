import { isHoldfastError } from '../../src/base/errors';
import { beforeDeadline } from '../deadline';
import { type Engine, type EngineConnection, unavailable } from '../engine';
import { describeError, isTransient } from './run-errors';

/**
 * Makes calls of the server within a limit, milliseconds.
 * @throws HoldfastError `ENGINE_UNAVAILABLE` if the server does not answer; what `call` throws
 */
export async function callEngine<T>(
  engine: Engine,
  limitMs: number,
  call: (connection: EngineConnection) => Promise<T>,
): Promise<T> {
  const connection = engine.current();
  try {
    return await beforeDeadline(connection.native, Date.now() + limitMs, () => call(connection));
  } catch (error) {
    if (!isHoldfastError(error) && isTransient(error))
      throw unavailable(engine.address, describeError(error));
    throw error;
  }
}
