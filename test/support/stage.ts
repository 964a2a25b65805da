import { Client, Connection } from '@temporalio/client';
import { freePort } from './free-port';
import { type HoldingPeer, startHoldingPeer } from './holding-peer';
import { type Paths, pathsOf } from './http';
import { noOpenRuns, openRuns } from './leaks';
import { type Part, type PartProcess, type SpawnOptions, spawnPart } from './process';
import { processesNaming } from './processes';
import { newTaskQueue, sharedTemporal } from './service';
import { makeTempDir } from './temp-dir';
import { waitFor } from './wait';

type Environment = Readonly<Record<string, string>>;

export interface Api extends Paths {
  readonly url: string;
  readonly process: PartProcess;
}

/** The processes of one test, with a separate data folder and task queue. */
export interface Stage {
  readonly dataDir: string;
  readonly taskQueue: string;
  readonly settings: Environment;
  /** A client that looks at runs from outside. */
  readonly client: Client;
  /** A server that tools call. */
  readonly peer: HoldingPeer;
  /** Starts a process without waiting until it is up. */
  spawn(part: Part, env?: Environment, options?: SpawnOptions): PartProcess;
  /** Starts an API and waits until it listens and is connected to Temporal. */
  api(env?: Environment): Promise<Api>;
  /** Starts a worker and waits until it polls. */
  worker(env?: Environment, options?: SpawnOptions): Promise<PartProcess>;
  /** Starts a Temporal server and waits until it serves; only with `ownTemporal`. */
  temporal(): Promise<PartProcess>;
  /** Starts everything in one process and waits until it is up. */
  allInOne(env?: Environment, options?: SpawnOptions): Promise<Api>;
  /**
   * Ends what still runs, last started first, and fails if something is left: a run that has not ended, a
   * process that does not exit with 0, one that uses the data folder but was not started here.
   */
  close(): Promise<void>;
}

export interface StageOptions {
  /** Whether the stage runs a separate Temporal server; by default it uses the one that all suites share. */
  readonly ownTemporal?: boolean;
}

const LIMIT_TO_STOP_MS = 20_000;

export async function openStage({ ownTemporal = false }: StageOptions = {}): Promise<Stage> {
  const dir = makeTempDir();
  const taskQueue = newTaskQueue();
  const temporalPort = ownTemporal ? await freePort() : undefined;
  const address = temporalPort === undefined ? sharedTemporal() : `127.0.0.1:${temporalPort}`;
  const common = {
    PORT: '0',
    RECORDS_PORT: '0',
    DATA_DIR: dir.path,
    TASK_QUEUE: taskQueue,
    SHUTDOWN_GRACE_MS: '3000',
  };
  const serverPorts: Record<string, string> =
    temporalPort === undefined
      ? {}
      : { TEMPORAL_PORT: String(temporalPort), TEMPORAL_UI_PORT: String(await freePort()) };
  // The peer is on this machine.
  const settings = {
    ...common,
    ...serverPorts,
    TEMPORAL_ADDRESS: address,
    EGRESS_ALLOW_PRIVATE: 'true',
  };
  const connection = Connection.lazy({ address });
  const client = new Client({ connection });
  const peer = await startHoldingPeer();
  const processes: { readonly part: Part; readonly process: PartProcess }[] = [];

  function spawnWith(part: Part, env: Environment, options?: SpawnOptions): PartProcess {
    const started = spawnPart(part, env, options);
    processes.push({ part, process: started });
    return started;
  }
  const spawn = (part: Part, env: Environment = {}, options?: SpawnOptions): PartProcess =>
    spawnWith(part, { ...settings, ...env }, options);

  async function api(env: Environment = {}): Promise<Api> {
    const started = spawn('api', env);
    const listening = await listeningApi(started);
    await ready(listening);
    return listening;
  }

  async function worker(env: Environment = {}, options?: SpawnOptions): Promise<PartProcess> {
    const started = spawn('worker', env, options);
    await started.line('the worker is polling');
    return started;
  }

  async function temporal(): Promise<PartProcess> {
    const started = spawnWith('temporal', { ...common, ...serverPorts });
    await started.line('Temporal is serving');
    return started;
  }

  async function allInOne(env: Environment = {}, options?: SpawnOptions): Promise<Api> {
    const engine = ownTemporal ? serverPorts : { TEMPORAL_ADDRESS: address };
    const started = spawnWith('start', { ...common, ...engine, ...env }, options);
    const up = await started.line('holdfast is up');
    const listening = apiAt(String(up['api']), started);
    await ready(listening);
    return listening;
  }

  /** A stage with a separate Temporal server may have stopped it already. */
  async function runProblems(): Promise<string[]> {
    const serves = processes.some(
      ({ part, process }) => process.running && (part === 'temporal' || part === 'start'),
    );
    if (ownTemporal && !serves) return [];
    try {
      await noOpenRuns(client, taskQueue);
      return [];
    } catch (error) {
      for (const id of await openRuns(client, taskQueue)) await client.workflow.getHandle(id).terminate();
      return [String(error)];
    }
  }

  async function stopProblems(): Promise<string[]> {
    const problems: string[] = [];
    for (const { part, process } of [...processes].reverse()) {
      if (!process.running) continue;
      const late = setTimeout(() => void process.kill(), LIMIT_TO_STOP_MS);
      const code = await process.stop();
      clearTimeout(late);
      if (code !== 0) problems.push(`${part} ended with ${code}: ${process.output()}`);
    }
    return problems;
  }

  function leftProcesses(): string[] {
    return processesNaming(dir.path).map(({ pid, command }) => {
      process.kill(pid, 'SIGKILL');
      return `process ${pid} was left: ${command}`;
    });
  }

  return {
    dataDir: dir.path,
    taskQueue,
    settings,
    client,
    peer,
    spawn,
    api,
    worker,
    temporal,
    allInOne,
    async close() {
      const problems = [...(await runProblems()), ...(await stopProblems()), ...leftProcesses()];
      await peer.close();
      await connection.close();
      dir.remove();
      if (problems.length > 0) throw new Error(`something is left: ${problems.join('; ')}`);
    },
  };
}

async function ready(api: Api): Promise<void> {
  await waitFor(async () => (await api.get('/readyz')).status === 200, { what: 'the API to be ready' });
}

/** Starts an API and waits until it listens, ready or not. */
export async function listeningApi(process: PartProcess): Promise<Api> {
  const { url } = await process.line('the API is listening');
  return apiAt(String(url), process);
}

export function apiAt(url: string, process: PartProcess): Api {
  return { url, process, ...pathsOf(url) };
}
