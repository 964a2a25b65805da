import { join } from 'node:path';
import { startEngine } from '../../cluster/engine/start-engine';
import { findPrograms } from '../../cluster/files/programs';
import { recordLeftovers } from '../../cluster/processes/leftovers';
import { rememberPorts } from '../../cluster/processes/ports';
import { loadConfig } from '../../src/settings/config';
import { createLogger } from '../../src/base/logger';
import { unwinding } from '../unwinding';
import type { EngineKind } from './engine';

/** As `npm run cluster` runs it: Temporal's server and PostgreSQL, whose processes count as the server's. */
export const productionServer: EngineKind = {
  name: 'production server on PostgreSQL',
  async start(dir) {
    const folder = join(dir, 'production');
    unwinding.signal.throwIfAborted();
    const starting = startEngine({
      folder,
      port: 0,
      postgresPort: 0,
      namespace: 'default',
      retentionDays: 1,
      historyShards: loadConfig({}).CLUSTER_HISTORY_SHARDS,
      logger: createLogger(loadConfig({ LOG_LEVEL: 'error' }), 'bench'),
      leftovers: recordLeftovers(join(folder, 'processes.json')),
      ports: rememberPorts(folder),
      giveUp: (reason) => {
        throw new Error(reason);
      },
      signal: unwinding.signal,
    });
    // One whose start fails leaves nothing running.
    const stop = unwinding.add(() =>
      starting.then(
        (engine) => engine.stop(),
        () => undefined,
      ),
    );
    const engine = await starting;
    const pids = engine.parts.map((part) => part.pid()).filter((pid) => pid !== undefined);
    return { address: engine.address, pids, stop };
  },
};

/** Whether its programs have been set up, by `node scripts/setup/cluster.mjs`. */
export function hasProductionServer(): boolean {
  try {
    findPrograms();
    return true;
  } catch {
    return false;
  }
}
