import { createServer } from 'node:net';
import { join } from 'node:path';
import { SetupError } from '../setup/errors.mjs';
import { PROJECT_ROOT } from '../setup/paths.mjs';
import { run } from '../setup/run.mjs';

/**
 * Starts the service as `npm start` runs it, on free ports.
 *
 * @param {Record<string, string>} settings with the DATA_DIR
 * @returns {Promise<{ api: string, records: string, temporal: string, stop: () => Promise<void> }>} its addresses
 * @throws {SetupError} if it does not start
 */
export async function startService(settings) {
  const [temporalPort, uiPort] = await findFreePorts(2);
  const ports = {
    PORT: '0',
    RECORDS_PORT: '0',
    TEMPORAL_PORT: String(temporalPort),
    TEMPORAL_UI_PORT: String(uiPort),
  };
  return startProgram(
    join(PROJECT_ROOT, 'dist', 'bin', 'start.js'),
    { ...ports, ...settings },
    'holdfast is up',
  );
}

/**
 * Starts a program of the service, and waits until it logs a message.
 *
 * @param {string} file
 * @param {Record<string, string>} settings
 * @param {string} message
 * @returns {Promise<any>} the fields of the log line, and `stop`, which throws if the program ends with an error
 * @throws {SetupError} if it ends before
 */
export async function startProgram(file, settings, message) {
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, LOG_FORMAT: 'json', ...settings };
  let pid;
  let isUp;
  const up = new Promise((resolve) => (isUp = resolve));
  const onLine = (line) => line.includes(`"${message}"`) && isUp(JSON.parse(line));
  const ended = run(process.execPath, [file], { env, onLine, onStart: (started) => (pid = started) });
  const { tail, ...fields } = await Promise.race([up, ended]);
  if (tail !== undefined) throw new SetupError(`The program did not start: ${tail}`);
  let hasEnded = false;
  void ended.then(() => (hasEnded = true));
  const stop = async () => {
    if (!hasEnded) process.kill(pid, 'SIGTERM');
    const { code, tail: lastLines } = await ended;
    if (code !== 0) throw new SetupError(`The program ended with code ${code}: ${lastLines}`);
  };
  return { ...fields, stop };
}

async function findFreePorts(count) {
  const servers = await Promise.all(
    Array.from({ length: count }, async () => {
      const server = createServer();
      await new Promise((done) => server.listen(0, '127.0.0.1', done));
      return server;
    }),
  );
  const ports = servers.map((server) => server.address().port);
  await Promise.all(servers.map((server) => new Promise((done) => server.close(done))));
  return ports;
}
