import { startDevServer } from '../../temporal/dev-server';
import { freePort } from './free-port';
import { makeTempDir } from './temp-dir';

/** Stops what the set-up started; called by the global tear-down in the same process. */
export type TearDown = () => Promise<void>;

declare global {
  var holdfastTearDown: TearDown | undefined;
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
