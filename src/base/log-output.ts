import fs from 'node:fs';
import pino from 'pino';
import { codeOf } from './errors';

type Output = ReturnType<typeof pino.destination>;

/** Log lines that wait for a reader take up to this many bytes. */
const MAX_WAITING_BYTES = 8 * 1_048_576;
/** An exiting process waits this long for a reader that reads nothing, milliseconds. */
const STALL_LIMIT_MS = 1_000;
/** Lines below `warn` wait this long for more lines to be written with, milliseconds. */
const GATHER_MS = 50;
/** Lines that wait for more are written at once when they take this number of characters. */
const MAX_GATHERED_CHARACTERS = 8_192;
const WARN = pino.levels.values['warn'] ?? 0;

/**
 * Opens standard output for log lines. A reader that stalls does not block the service: up to 8 MiB of lines wait,
 * further lines are dropped, and an exiting process stops waiting after a second in which nothing was read (the 16 kB
 * in flight may be lost then).
 *
 * Lines below `warn` are written together every 50 ms, because each write wakes another thread, which takes as much CPU
 * as building the line. A process that is killed loses those of its last 50 ms. A line of `warn` or above is written at
 * once, after the lines before it.
 *
 * If the output cannot be written, as on a full disk, the lines wait like those that no reader takes. An exiting process
 * gives them up.
 * @param onDropped called with the number of dropped lines, once there is room again
 */
export function openLogOutput(onDropped: (lines: number) => void): Output {
  let isExiting = false;
  let left: { readonly bytes: number; readonly since: number } | undefined;
  let dropped = 0;

  function isWorthWaiting(bytes: number): boolean {
    if (!isExiting) return true;
    const now = performance.now();
    if (bytes !== left?.bytes) left = { bytes, since: now };
    return now - left.since < STALL_LIMIT_MS;
  }

  const output = pino.destination({
    dest: process.stdout.fd,
    sync: false,
    maxLength: MAX_WAITING_BYTES,
    retryEAGAIN: (_error, writing, waiting) => isWorthWaiting(writing + waiting),
  });
  // Without a listener, the error of a write would end the process. The next line repeats the write.
  output.on('error', () => undefined);
  output.on('drop', (lines: string) => (dropped += lines.split('\n').length - 1));
  output.on('drain', () => {
    if (dropped === 0) return;
    const lines = dropped;
    dropped = 0;
    onDropped(lines);
  });

  let gathered = '';
  let timer: NodeJS.Timeout | undefined;
  const write = output.write.bind(output);
  const writeGathered = (): boolean => {
    clearTimeout(timer);
    timer = undefined;
    const lines = gathered;
    gathered = '';
    return lines === '' || write(lines);
  };
  // pino sets the level of each line on an output with this symbol, before it writes the line.
  const levelled = Object.assign(output, { [Symbol.for('pino.metadata')]: true, lastLevel: 0 });
  output.write = (line) => {
    gathered += line;
    if (levelled.lastLevel >= WARN || gathered.length >= MAX_GATHERED_CHARACTERS) return writeGathered();
    timer ??= setTimeout(writeGathered, GATHER_MS).unref();
    return true;
  };
  const flush = output.flushSync.bind(output);
  output.flushSync = () => {
    isExiting = true;
    try {
      writeGathered();
      withoutRepeats(flush);
    } catch {
      // The output has no reader, so the error cannot be logged either.
    } finally {
      isExiting = false;
    }
  };
  return output;
}

/**
 * Runs the last flush. It repeats each write that fails, and would never end on a full disk or on a terminal that is gone, so
 * that such a write counts as done here. A write to a reader that stalls is repeated as `retryEAGAIN` says.
 */
function withoutRepeats(flush: () => void): void {
  const { writeSync } = fs;
  const writeOnce = (fd: number, text: string): number => {
    try {
      return writeSync(fd, text, null, 'utf8');
    } catch (error) {
      if (codeOf(error) === 'EAGAIN' || codeOf(error) === 'EBUSY') throw error;
      return Buffer.byteLength(text);
    }
  };
  fs.writeSync = writeOnce as typeof writeSync;
  try {
    flush();
  } finally {
    fs.writeSync = writeSync;
  }
}
