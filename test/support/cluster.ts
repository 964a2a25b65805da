import { Client, Connection } from '@temporalio/client';
import { setUpCluster } from './cluster-programs';
import { processesNaming } from './processes';
import { LEXICAL } from './memories';
import { type PartProcess, spawnPart } from './process';
import { type Api, apiAt } from './stage';
import { makeTempDir } from './temp-dir';
import { waitFor } from './wait';

/** The first set-up on a machine builds Temporal's server. */
export const CLUSTER_WAIT_MS = 1_200_000;

/** `describe`, skipped if the cluster cannot be set up, except in CI. */
export const describeWithCluster =
  process.env['HOLDFAST_TEST_CLUSTER_LACKS'] === undefined ? describe : describe.skip;

/** `npm run cluster` on a separate folder and free ports. */
export interface Cluster {
  readonly dataDir: string;
  readonly process: PartProcess;
  /** Sends requests to the address of the proxy. */
  readonly api: Api;
  readonly records: Api;
  readonly uiUrl: string;
  /** A client that looks at runs from outside. */
  readonly client: Client;
  /** Sends requests to one API at its own address. */
  single(name: string): Api;
  /** The pid of the process that runs the part now, by the log. */
  pid(name: string): number;
  /** Kills the part's process by SIGKILL, and waits until another one is up. */
  killPart(name: string): Promise<void>;
  /** Kills the cluster itself by SIGKILL, and starts a new one on the same data. */
  killAndStartAgain(env?: Readonly<Record<string, string>>): Promise<Cluster>;
  /** @returns the exit code */
  stop(): Promise<number | NodeJS.Signals>;
}

export async function openCluster(): Promise<Cluster> {
  await setUpCluster();
  const dir = makeTempDir();
  try {
    return await startOn(dir.path, () => dir.remove());
  } catch (error) {
    for (const { pid } of processesNaming(dir.path)) process.kill(pid, 'SIGKILL');
    dir.remove();
    throw error;
  }
}

/** Settings of a cluster that does not disturb other processes. */
export function clusterSettings(dataDir: string): Record<string, string> {
  return {
    ...LEXICAL,
    PORT: '0',
    RECORDS_PORT: '0',
    TEMPORAL_PORT: '0',
    TEMPORAL_UI_PORT: '0',
    DATA_DIR: dataDir,
    SHUTDOWN_GRACE_MS: '3000',
    // The peers of tests run on this machine.
    EGRESS_ALLOW_PRIVATE: 'true',
    // A call may have to wait until a killed server runs again.
    TOOL_TIMEOUT_MS: '90000',
    WAIT_LIMIT_MS: '120000',
  };
}

async function startOn(
  dataDir: string,
  remove: () => void,
  env: Readonly<Record<string, string>> = {},
): Promise<Cluster> {
  const started = spawnPart('cluster', { ...clusterSettings(dataDir), ...env });
  const up = await started.line('the cluster is up').catch(async (error: unknown) => {
    await started.stop();
    throw error;
  });
  const client = new Client({ connection: Connection.lazy({ address: String(up['temporal']) }) });
  const at = (url: unknown): Api => apiAt(String(url), started);
  /** The latest line of a part's process with this message. */
  const lineOf = (name: string, message: string) =>
    started.lines.findLast(({ msg, process }) => msg === message && process === name);
  const pid = (name: string): number => Number(lineOf(name, 'a part of the cluster is up')?.['pid']);
  return {
    dataDir,
    process: started,
    api: at(up['api']),
    records: at(up['records']),
    uiUrl: String(up['ui']),
    client,
    single: (name) => at(lineOf(name, 'the API is listening')?.['url']),
    pid,
    async killPart(name) {
      const before = pid(name);
      process.kill(before, 'SIGKILL');
      await waitFor(() => pid(name) !== before, { what: `another ${name}` });
    },
    async killAndStartAgain(other) {
      await client.connection.close();
      await started.kill();
      return startOn(dataDir, remove, other);
    },
    async stop() {
      await client.connection.close();
      const code = await started.stop();
      const left = processesNaming(dataDir);
      for (const one of left) process.kill(one.pid, 'SIGKILL');
      remove();
      if (left.length > 0) throw new Error(`left: ${left.map(({ command }) => command).join('; ')}`);
      return code;
    },
  };
}
