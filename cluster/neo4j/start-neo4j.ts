import { join } from 'node:path';
import { projectRoot } from '../files/programs';
import type { Leftovers } from '../processes/leftovers';
import type { RunningPart } from '../processes/spawn-part';
import { spawnPart } from '../processes/spawn-part';
import { waitForPart } from '../processes/wait-for-part';

const READY_LIMIT_MS = 120_000;
/** What was committed is on the disk, so the end is quick. */
const STOP_LIMIT_MS = 15_000;

export interface Neo4jOptions {
  /** Folder of the server's libraries. */
  readonly libraries: string;
  /** Holds data and logs. */
  readonly folder: string;
  /** Of Bolt, on loopback. */
  readonly port: number;
  readonly password: string;
  /** Options of the virtual machine, such as `-Xmx512m`. */
  readonly virtualMachine: readonly string[];
  readonly pageCacheMegabytes: number;
  readonly leftovers: Leftovers;
}

/**
 * Starts a Neo4j server, community edition, with a password for its user neo4j. Takes about ten seconds. It ends with this
 * process, whatever happens to that.
 *
 * @throws HoldfastError `CONFIGURATION` where Java is missing, and `ENGINE_UNAVAILABLE` when it does not come up
 */
export async function startNeo4j(options: Neo4jOptions, signal?: AbortSignal): Promise<RunningPart> {
  const { libraries, folder, port, password, virtualMachine, pageCacheMegabytes, leftovers } = options;
  const launcher = join(projectRoot(), 'cluster', 'neo4j', 'Launcher.java');
  let ready = false;
  let last = 'it said nothing';
  const part = await spawnPart({
    name: 'neo4j',
    command: 'java',
    args: [
      ...[...virtualMachine, '-cp', join(libraries, '*'), launcher],
      ...[folder, String(port), String(pageCacheMegabytes)],
    ],
    output(line) {
      if (line === 'ready') ready = true;
      last = line;
      return undefined;
    },
    input: `${password}\n`,
    stopLimitMs: STOP_LIMIT_MS,
    leftovers,
  });
  const look = (): Promise<void> => (ready ? Promise.resolve() : Promise.reject(new Error(last)));
  return waitForPart(part, { what: `Neo4j on port ${port}`, limitMs: READY_LIMIT_MS, signal, look });
}
