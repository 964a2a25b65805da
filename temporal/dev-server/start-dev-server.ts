import { join, resolve } from 'node:path';
import { HoldfastError, messageOf } from '../../src/base/errors';
import type { DataDirClaim, ServerRecord } from './data-dir-claim';
import { claimDataDir } from './data-dir-claim';
import { findTemporalCli } from './find-cli';
import { serverArguments } from './flags';
import { boundLog, keepLogBounded, lastLines, logSize } from './log-file';
import type { DevServer, DevServerExit, DevServerOptions } from './options';
import { FILES } from './options';
import { assertPortFree } from './ports';
import { setRetention, waitUntilReady, whatIsLacking } from './readiness';
import type { Ending, ServerProcess } from './server-process';
import { adoptServer, spawnServer } from './server-process';
import { stopProcess } from './stop-process';

const READY_TIMEOUT_MS = 30_000;
const STOP_TIMEOUT_MS = 10_000;
const LINES_TOLD = 10;
const MAX_STARTS = 3;
const PORT_TAKEN = /address already in use/i;
const LINES_OF_A_PANIC = 200;

/**
 * Runs Temporal's development server for this process, on the database in the data folder. A server that a
 * killed process left there is taken over when it is well and was started the same way, else replaced.
 *
 * @throws HoldfastError `CONFIGURATION` when the binary, a port or the data folder cannot be used, and
 *   `ENGINE_UNAVAILABLE` when the server does not come up, or `signal` aborts first
 */
export async function startDevServer(given: DevServerOptions): Promise<DevServer> {
  // Whoever adopts the server later may run in another working directory.
  const options = { ...given, dataDir: resolve(given.dataDir) };
  const command = [findTemporalCli(options.cliPath), ...serverArguments(options)];
  const claim = await claimDataDir(options.dataDir);
  try {
    const adopted = await adoptOrphan(options, claim, command);
    const server = adopted ?? (await startNew(options, claim, command));
    await orStop(options, server, () => setRetention(options, options.retentionDays));
    if (options.signal?.aborted) await orStop(options, server, () => Promise.reject(givenUp()));
    return present(options, claim, server, adopted !== undefined);
  } catch (error) {
    claim.release();
    throw error;
  }
}

const givenUp = (): HoldfastError =>
  new HoldfastError('ENGINE_UNAVAILABLE', "The start of Temporal's development server was given up.");

/** The server that was left behind, or undefined when there is none any more. */
async function adoptOrphan(
  options: DevServerOptions,
  claim: DataDirClaim,
  command: readonly string[],
): Promise<ServerProcess | undefined> {
  const { orphan } = claim;
  if (orphan === undefined) return undefined;
  const fault = sameCommand(orphan, command)
    ? await whatIsLacking(options)
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
 * Besides the ports it is given, the server picks free ones for itself a moment before it listens on them, so
 * another process may come first.
 */
async function startNew(
  options: DevServerOptions,
  claim: DataDirClaim,
  command: readonly string[],
): Promise<ServerProcess> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await startOnce(options, claim, command);
    } catch (error) {
      if (options.signal?.aborted) throw givenUp();
      if (attempt === MAX_STARTS || !PORT_TAKEN.test(messageOf(error))) throw error;
      options.logger.warn({ reason: messageOf(error) }, 'starting the Temporal server again');
    }
  }
}

async function startOnce(
  options: DevServerOptions,
  claim: DataDirClaim,
  command: readonly string[],
): Promise<ServerProcess> {
  const { host, port, uiPort, dataDir } = options;
  await assertPortFree(host, port, 'TEMPORAL_PORT');
  await assertPortFree(host, uiPort, 'TEMPORAL_UI_PORT');
  if (options.signal?.aborted) throw givenUp();
  const log = join(dataDir, FILES.log);
  boundLog(log);
  const logStart = logSize(log);
  const [cliPath = '', ...args] = command;
  const server = await spawnServer(cliPath, args, log);
  claim.save({ ...server.identity, port, uiPort, command });
  const stopped = new AbortController();
  void server.ended.then(() => stopped.abort());
  try {
    await orStop(options, server, () =>
      waitUntilReady(
        options,
        options.readyTimeoutMs ?? READY_TIMEOUT_MS,
        AbortSignal.any([stopped.signal, ...(options.signal ? [options.signal] : [])]),
      ),
    );
  } catch (error) {
    if (options.signal?.aborted) throw givenUp();
    const lines = lastLines(log, LINES_OF_A_PANIC, logStart);
    // A panic says why before it says where.
    const lastLine = lines.findLast((line) => PORT_TAKEN.test(line)) ?? lines.at(-1) ?? 'nothing';
    throw new HoldfastError(
      'ENGINE_UNAVAILABLE',
      `Temporal's development server did not start: ${messageOf(error)} Its log ${log} ends with: ${lastLine}`,
      { cause: error },
    );
  }
  return server;
}

/** Runs `action`; when that fails, nothing is left running. */
async function orStop(
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

function present(
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
      if (stopping === undefined) resolve(describeExit(ending, lastLines(log, LINES_TOLD)));
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
