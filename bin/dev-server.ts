import { SEARCH_ATTRIBUTES } from '../src/contracts/runs/search-attributes';
import type { DevServer } from '../temporal/dev-server/options';
import { startDevServer } from '../temporal/dev-server/start-dev-server';
import type { Part } from './process';

const TYPE_NAMES = { KEYWORD: 'Keyword', KEYWORD_LIST: 'KeywordList' } as const;

/** A stop sends SIGTERM and waits 10 s, then sends SIGKILL and waits 5 s. */
const STOP_LIMIT_MS = 15_000;

/**
 * Starts Temporal's development server as a child of this process. The server stops after all other parts, and the
 * process ends with exit code 1 when the server ends by itself.
 */
export async function addDevServer({ config, logger, release, fail }: Part): Promise<DevServer> {
  const starting = new AbortController();
  const started = startDevServer({
    host: '127.0.0.1',
    port: config.TEMPORAL_PORT,
    uiPort: config.TEMPORAL_UI_PORT,
    dataDir: config.DATA_DIR,
    namespace: config.TEMPORAL_NAMESPACE ?? 'default',
    retentionDays: config.TEMPORAL_RETENTION_DAYS,
    searchAttributes: Object.fromEntries(
      Object.entries(SEARCH_ATTRIBUTES).map(([name, type]) => [name, TYPE_NAMES[type]]),
    ),
    logger,
    signal: starting.signal,
    cliPath: config.TEMPORAL_CLI_PATH,
  });
  // A stop also ends a server that is still starting.
  release(async () => {
    starting.abort();
    const server = await started.catch(() => undefined);
    await server?.stop();
  }, STOP_LIMIT_MS);
  const server = await started;
  void server.exited.then(({ reason }) => fail(`Temporal's development server ended by itself: ${reason}`));
  return server;
}
