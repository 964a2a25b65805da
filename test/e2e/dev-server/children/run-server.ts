import type { DevServerOptions } from '../../../../temporal/dev-server/options';
import { startDevServer } from '../../../../temporal/dev-server/start-dev-server';
import { childMain } from '../../../contract/support/child-main';

/** Starts a server, prints its pid, and runs until it is killed. */
childMain(async (argument) => {
  const options = argument as Omit<DevServerOptions, 'logger'>;
  const nothing = (): void => undefined;
  const server = await startDevServer({
    ...options,
    logger: { info: nothing, warn: nothing, error: nothing },
  });
  console.log(JSON.stringify({ pid: server.pid, adopted: server.adopted }));
  await server.exited;
});
