import { spawn } from 'node:child_process';
import { constants } from 'node:os';

const TAIL_LINES = 40;
const KILL_AFTER_MS = 5_000;
const running = new Set();
let watchingSignals = false;

/**
 * Runs a command and resolves with its exit code and its last lines of output, even if the code is not zero.
 * A signal to this process is passed on, and this process ends only after its children, so that it releases no
 * lock while they still write.
 *
 * @param {string} command
 * @param {string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, onLine?: (line: string) => void,
 *           onStart?: (pid: number) => void }} [options]
 * @returns {Promise<{ code: number, tail: string }>} the code is 127 if the command could not be started
 */
export function run(command, args, options = {}) {
  watchSignals();
  return new Promise((resolve) => {
    const tail = [];
    const child = spawn(command, args, {
      cwd: options.cwd,
      env: options.env ?? process.env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    running.add(child);
    if (child.pid !== undefined) options.onStart?.(child.pid);
    for (const stream of [child.stdout, child.stderr]) {
      eachLine(stream, (line) => {
        tail.push(line);
        if (tail.length > TAIL_LINES) tail.shift();
        options.onLine?.(line);
      });
    }
    child.on('error', (error) => {
      running.delete(child);
      resolve({ code: 127, tail: error.message });
    });
    child.on('close', (code, signal) => {
      running.delete(child);
      resolve({ code: code ?? 128 + (constants.signals[signal] ?? 0), tail: tail.join('\n') });
    });
  });
}

function eachLine(stream, onLine) {
  let rest = '';
  stream.setEncoding('utf8');
  stream.on('data', (chunk) => {
    const lines = (rest + chunk).split(/\r?\n/);
    rest = lines.pop() ?? '';
    for (const line of lines) onLine(line);
  });
  stream.on('end', () => {
    if (rest !== '') onLine(rest);
  });
}

function watchSignals() {
  if (watchingSignals) return;
  watchingSignals = true;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.once(signal, () => void endChildren(signal));
  }
}

async function endChildren(signal) {
  const children = [...running];
  const ended = children.map((child) => new Promise((resolve) => child.once('close', resolve)));
  for (const child of children) child.kill('SIGTERM');
  const killTimer = setTimeout(() => {
    for (const child of children) child.kill('SIGKILL');
  }, KILL_AFTER_MS);
  await Promise.all(ended);
  clearTimeout(killTimer);
  process.exit(128 + constants.signals[signal]);
}
