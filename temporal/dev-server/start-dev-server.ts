import { join, resolve } from 'node:path';
import { HoldfastError, messageOf } from '../../src/base/errors';
import { claimDataDir, type DataDirClaim, type ServerRecord } from './data-dir-claim';
import { findTemporalCli } from './find-cli';
import { boundLog, keepLogBounded, readLastLines, readLogSize } from './log-file';
import { makePrivate } from './private-files';
import { type DevServer, type DevServerExit, type DevServerOptions, FILES } from './options';
import { assertPortFree } from './ports';
import { setRetention, waitUntilReady, findReadinessProblem } from './readiness';
import { assertServerFits, markServer, readServerVersion, warnOfUntried } from './server-version';
import { adoptServer, type Ending, type ServerProcess, spawnServer } from './server-process';
import { stopProcess } from './stop-process';
import { SERVER_SETTINGS } from '../server-settings';

const DYNAMIC_CONFIG = [
  ...Object.entries(SERVER_SETTINGS).map(([name, value]) => `${name}=${value}`),
  // By default the server takes three to six minutes to report that the last run of a build has ended.
  'matching.wv.VersionDrainageStatusVisibilityGracePeriod="10s"',
  'matching.wv.VersionDrainageStatusRefreshInterval="10s"',
  // A promotion waits for new polls of the workers, which by default begin once a minute.
  'matching.longPollExpirationInterval="10s"',
];
/**
 * The database uses a write-ahead log for speed, and syncs it at each commit, so that acknowledged writes survive a
 * power failure. Deleted data is overwritten, so that the file does not keep the history of an erased user's turns.
 */
const SQLITE_PRAGMAS = ['journal_mode=wal', 'synchronous=2', 'secure_delete=1'];

const READY_TIMEOUT_MS = 30_000;
const STOP_TIMEOUT_MS = 10_000;
const LINES_REPORTED = 10;
const MAX_STARTS = 3;
const PORT_TAKEN = /address already in use/i;
const PANIC = /^panic: /;
const LINES_OF_A_PANIC = 2_000;

interface ServerProgram {
  readonly command: readonly string[];
  /** The version of the server inside the binary. */
  readonly version: string;
}

/**
 * Runs Temporal's development server for this process, on the database in the data folder. A server that a
 * killed process has left running is taken over when it works and has the same command line, and replaced otherwise.
 *
 * @throws HoldfastError `CONFIGURATION` when the binary, a port or the data folder cannot be used, or another minor
 *   version of the server wrote the folder, and `ENGINE_UNAVAILABLE` when the server does not become ready or `signal`
 *   aborts first
 */
export async function startDevServer(given: DevServerOptions): Promise<DevServer> {
  // The path is absolute, because a process that adopts the server later may have another working directory.
  const options = { ...given, dataDir: resolve(given.dataDir) };
  assertPortChosen('TEMPORAL_PORT', options.port);
  assertPortChosen('TEMPORAL_UI_PORT', options.uiPort);
  const cliPath = resolve(findTemporalCli(options.cliPath));
  const command = [cliPath, ...serverArguments(options)];
  const version = await readServerVersion(cliPath);
  // This comes before the claim, which writes into the folder.
  assertServerFits(options.dataDir, version, cliPath);
  warnOfUntried(version, cliPath, options.logger);
  const claim = await claimDataDir(options.dataDir);
  try {
    const adopted = await adoptOrphan(options, claim, command);
    const server = adopted ?? (await startNew(options, claim, { command, version }));
    await stopOnFailure(options, server, () => setRetention(options, options.retentionDays));
    if (options.signal?.aborted) await stopOnFailure(options, server, () => Promise.reject(toAbortedError()));
    return toDevServer(options, claim, server, adopted !== undefined);
  } catch (error) {
    claim.release();
    throw error;
  }
}

/** A port of 0 means any free one elsewhere, but this server has to be found where the process before left it. */
function assertPortChosen(setting: string, port: number): void {
  if (port !== 0) return;
  throw new HoldfastError(
    'CONFIGURATION',
    `${setting} is 0, and Temporal's development server cannot choose a port: set ${setting} to a free one.`,
  );
}

const toAbortedError = (): HoldfastError =>
  new HoldfastError('ENGINE_UNAVAILABLE', "The start of Temporal's development server was given up.");

/**
 * Takes over the server that a killed process has left running. Undefined if there was no such server, or if it
 * was ended.
 */
async function adoptOrphan(
  options: DevServerOptions,
  claim: DataDirClaim,
  command: readonly string[],
): Promise<ServerProcess | undefined> {
  const { orphan } = claim;
  if (orphan === undefined) return undefined;
  const fault = sameCommand(orphan, command)
    ? await findReadinessProblem(options)
    : 'it was started with other settings';
  if (fault === '') {
    options.logger.info({ pid: orphan.pid }, 'took over the Temporal server that a killed process left');
    return adoptServer(orphan);
  }
  options.logger.warn(
    { pid: orphan.pid, reason: fault },
    'replacing the Temporal server that a killed process left',
  );
  await stopProcess(orphan, options.stopTimeoutMs ?? STOP_TIMEOUT_MS);
  claim.save(undefined);
  return undefined;
}

const sameCommand = (orphan: ServerRecord, command: readonly string[]): boolean =>
  JSON.stringify(orphan.command) === JSON.stringify(command);

/**
 * Starts a new server, and again if a port was taken. Besides the given ports, the server picks free ones for itself
 * before it listens on them, so another process may listen on one first.
 */
async function startNew(
  options: DevServerOptions,
  claim: DataDirClaim,
  program: ServerProgram,
): Promise<ServerProcess> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await startOnce(options, claim, program);
    } catch (error) {
      if (options.signal?.aborted) throw toAbortedError();
      if (attempt === MAX_STARTS || !PORT_TAKEN.test(messageOf(error))) throw error;
      options.logger.warn({ reason: messageOf(error) }, 'starting the Temporal server again');
    }
  }
}

async function startOnce(
  options: DevServerOptions,
  claim: DataDirClaim,
  { command, version }: ServerProgram,
): Promise<ServerProcess> {
  const { host, port, uiPort, dataDir } = options;
  await assertPortFree(host, port, 'TEMPORAL_PORT');
  await assertPortFree(host, uiPort, 'TEMPORAL_UI_PORT');
  if (options.signal?.aborted) throw toAbortedError();
  const log = join(dataDir, FILES.log);
  makePrivate(dataDir);
  boundLog(log);
  const logStart = readLogSize(log);
  markServer(dataDir, version);
  const [cliPath = '', ...args] = command;
  const server = await spawnServer(cliPath, args, { cwd: dataDir, logPath: log });
  claim.save({ ...server.identity, port, uiPort, command });
  const stopped = new AbortController();
  void server.ended.then(() => stopped.abort());
  try {
    await stopOnFailure(options, server, () =>
      waitUntilReady(
        options,
        options.readyTimeoutMs ?? READY_TIMEOUT_MS,
        AbortSignal.any([stopped.signal, ...(options.signal ? [options.signal] : [])]),
      ),
    );
  } catch (error) {
    if (options.signal?.aborted) throw toAbortedError();
    const lines = readLastLines(log, LINES_OF_A_PANIC, logStart);
    // A panic of Go prints its reason before the stacks, so the reason is not the last line.
    const reason = lines.find((line) => PORT_TAKEN.test(line)) ?? lines.find((line) => PANIC.test(line));
    const lastLine = reason ?? lines.at(-1) ?? 'nothing';
    throw new HoldfastError(
      'ENGINE_UNAVAILABLE',
      `Temporal's development server did not start: ${messageOf(error)} Its log ${log} ends with: ${lastLine}`,
      { cause: error },
    );
  }
  return server;
}

/** Runs `action`, and ends the server when that fails. */
async function stopOnFailure(
  options: DevServerOptions,
  server: ServerProcess,
  action: () => Promise<void>,
): Promise<void> {
  try {
    await action();
  } catch (error) {
    server.unwatch();
    await stopProcess(server.identity, options.stopTimeoutMs ?? STOP_TIMEOUT_MS);
    throw error;
  }
}

function toDevServer(
  options: DevServerOptions,
  claim: DataDirClaim,
  server: ServerProcess,
  adopted: boolean,
): DevServer {
  const { host, port, uiPort, dataDir, logger } = options;
  const log = join(dataDir, FILES.log);
  const stopBounding = keepLogBounded(log);
  let stopping: Promise<void> | undefined;

  async function stop(): Promise<void> {
    server.unwatch();
    stopBounding();
    const killed = await stopProcess(server.identity, options.stopTimeoutMs ?? STOP_TIMEOUT_MS);
    if (killed)
      logger.warn({ pid: server.identity.pid }, 'the Temporal server did not end in time and was killed');
    claim.release();
  }

  const exited = new Promise<DevServerExit>((resolve) => {
    void server.ended.then((ending) => {
      if (stopping === undefined) resolve(describeExit(ending, readLastLines(log, LINES_REPORTED)));
    });
  });
  return {
    address: `${host}:${port}`,
    uiUrl: `http://${host}:${uiPort}`,
    pid: server.identity.pid,
    adopted,
    stop: () => (stopping ??= stop()),
    exited,
  };
}

function describeExit({ code, signal }: Ending, lines: readonly string[]): DevServerExit {
  const how = signal ?? (code === null ? 'no exit code known' : `exit code ${code}`);
  return { code, lastLines: lines, reason: `${how}; its log ends with: ${lines.at(-1) ?? 'nothing'}` };
}

/**
 * Names the file of the database for the server, which runs in the data folder. The server makes a URI of the name, in which some
 * characters would end the path or stand for others, so a folder with such characters is left out of it.
 */
function databaseName(dataDir: string): string {
  return /[#%?]/.test(dataDir) ? FILES.database : join(dataDir, FILES.database);
}

/** Builds the command line of the server. Servers of one data folder with equal command lines are interchangeable. */
export function serverArguments(options: DevServerOptions): string[] {
  const { host, port, uiPort, dataDir, namespace, searchAttributes, dynamicConfig = [] } = options;
  return [
    ...['server', 'start-dev', '--log-level', 'warn', '--color', 'never'],
    ...['--ip', host, '--port', String(port), '--ui-port', String(uiPort)],
    ...['--db-filename', databaseName(dataDir)],
    ...['--namespace', namespace],
    ...SQLITE_PRAGMAS.flatMap((pragma) => ['--sqlite-pragma', pragma]),
    ...[...DYNAMIC_CONFIG, ...dynamicConfig].flatMap((setting) => ['--dynamic-config-value', setting]),
    ...Object.entries(searchAttributes)
      .sort(([left], [right]) => (left < right ? -1 : 1))
      .flatMap(([name, type]) => ['--search-attribute', `${name}=${type}`]),
  ];
}
