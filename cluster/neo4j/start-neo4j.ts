import { join } from 'node:path';
import { projectRoot } from '../files/programs';
import type { Leftovers } from '../processes/leftovers';
import { type RunningPart, spawnPart } from '../processes/spawn-part';
import { waitForPart } from '../processes/wait-for-part';

const READY_LIMIT_MS = 120_000;
/** The server ends soon, because committed data is already on disk. */
const STOP_LIMIT_MS = 15_000;

export interface Neo4jOptions {
  /** The folder of the server's libraries. */
  readonly libraries: string;
  /** The folder of data and logs. */
  readonly folder: string;
  /** The Bolt port on loopback. */
  readonly port: number;
  readonly password: string;
  /** Options of the virtual machine, such as `-Xmx512m`. */
  readonly virtualMachine: readonly string[];
  readonly pageCacheMegabytes: number;
  readonly leftovers: Leftovers;
}

/**
 * Starts a Neo4j server, community edition, with a password for its user neo4j. This takes about ten seconds. The
 * server ends with this process, even if this process is killed.
 *
 * @throws HoldfastError `CONFIGURATION` if Java is missing, and `ENGINE_UNAVAILABLE` if the server does not
 * become ready
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
  const check = (): Promise<void> => (ready ? Promise.resolve() : Promise.reject(new Error(last)));
  return waitForPart(part, { what: `Neo4j on port ${port}`, limitMs: READY_LIMIT_MS, signal, check });
}
