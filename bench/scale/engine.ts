import { join } from 'node:path';
import { freePort } from '../free-port';
import { startPart } from './part';

/** A running Temporal server. */
export interface BenchEngine {
  readonly address: string;
  /** Its processes. The figures of their descendants are added to theirs. */
  readonly pids: readonly number[];
  stop(): Promise<void>;
}

/** A kind of Temporal server to measure against. */
export interface EngineKind {
  readonly name: string;
  /** @param core the core to which all its processes are pinned; absent for any */
  start(dir: string, core?: number): Promise<BenchEngine>;
}

/** The server as `npm run temporal` runs it, in one process with SQLite. */
export const developmentServer: EngineKind = {
  name: 'development server',
  async start(dir, core) {
    const port = await freePort();
    const part = await startPart('temporal', {
      env: {
        DATA_DIR: join(dir, 'temporal'),
        TEMPORAL_PORT: String(port),
        TEMPORAL_UI_PORT: String(await freePort()),
      },
      saysWhenUp: 'Temporal is serving',
      core,
    });
    return { address: `127.0.0.1:${port}`, pids: [part.pid], stop: part.stop };
  },
};
