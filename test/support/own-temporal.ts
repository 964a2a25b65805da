import { startDevServer } from '../../temporal/dev-server/start-dev-server';
import { freePort } from './free-port';
import { makeTempDir } from './temp-dir';

export interface OwnTemporal {
  readonly address: string;
  stop(): Promise<void>;
}

/**
 * Starts a separate Temporal server on free ports and in a new folder.
 * @param dynamicConfig limits that differ from the usual ones, as in `limit.historyCount.suggestContinueAsNew=40`
 */
export async function startOwnTemporal(dynamicConfig: readonly string[] = []): Promise<OwnTemporal> {
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
    dynamicConfig,
  });
  return {
    address: server.address,
    async stop() {
      await server.stop();
      dir.remove();
    },
  };
}
