import { createServer } from 'node:net';
import { startDevServer } from '../../temporal/dev-server';
import { makeTempDir } from './temp-dir';

/** Stops what the set-up started; called by the global tear-down in the same process. */
export type TearDown = () => Promise<void>;

declare global {
  var holdfastTearDown: TearDown | undefined;
}

/** A port that was free a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

/** One real Temporal server for all suites, on free ports and a folder of its own. */
export default async function globalSetup(): Promise<void> {
  const dir = makeTempDir();
  const quiet = (): void => undefined;
  const server = await startDevServer({
    host: '127.0.0.1',
    port: await freePort(),
    uiPort: await freePort(),
    dataDir: dir.path,
    namespace: 'default',
    retentionDays: 1,
    searchAttributes: {},
    logger: { info: quiet, warn: quiet, error: quiet },
  });
  // Inherited by jest's workers.
  process.env['HOLDFAST_TEST_TEMPORAL'] = server.address;
  globalThis.holdfastTearDown = async () => {
    await server.stop();
    dir.remove();
  };
}
