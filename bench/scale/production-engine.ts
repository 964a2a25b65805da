import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createEngine } from '../../test/support/cluster/engine';
import { readPrograms } from '../../test/support/cluster/programs';
import { unwinding } from '../unwinding';
import type { EngineKind } from './engine';

/** The server as docker-compose.yml runs it. The processes of PostgreSQL count as those of the server. */
export const productionServer: EngineKind = {
  name: 'production server on PostgreSQL',
  async start(dir) {
    unwinding.signal.throwIfAborted();
    const folder = join(dir, 'production');
    mkdirSync(folder, { mode: 0o700 });
    // The user that runs PostgreSQL for root has to pass through.
    chmodSync(dir, 0o711);
    const starting = createEngine(folder, readPrograms()).then(async (engine) => {
      await engine.start();
      return engine;
    });
    const stop = unwinding.add(() =>
      starting.then(
        (engine) => engine.stop(),
        () => undefined,
      ),
    );
    const engine = await starting;
    return { address: engine.address, pids: [engine.postgres.pid, engine.temporal.pid], stop };
  },
};

/** Whether `node scripts/setup/cluster.mjs` has set its programs up. */
export function hasProductionServer(): boolean {
  try {
    readPrograms();
    return true;
  } catch {
    return false;
  }
}
