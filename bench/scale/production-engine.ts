import { join } from 'node:path';
import { startEngine } from '../../cluster/engine/start-engine';
import { ENGINE_PROGRAMS, findPrograms } from '../../cluster/files/programs';
import { recordLeftovers } from '../../cluster/processes/leftovers';
import { rememberPorts } from '../../cluster/processes/ports';
import { loadConfig } from '../../src/settings/config';
import { createLogger } from '../../src/base/logger';
import { unwinding } from '../unwinding';
import type { EngineKind } from './engine';

/** The server as `npm run cluster` runs it. The processes of PostgreSQL count as those of the server. */
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
    // A start that fails leaves no process running.
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

/** Whether `node scripts/setup/cluster.mjs` has set its programs up. */
export function hasProductionServer(): boolean {
  try {
    findPrograms(ENGINE_PROGRAMS);
    return true;
  } catch {
    return false;
  }
}
