import pino from 'pino';

type Output = ReturnType<typeof pino.destination>;

/** Log lines that wait for a reader take up to this many bytes. */
const MAX_WAITING_BYTES = 8 * 1_048_576;
/** An exiting process waits this long for a reader that reads nothing, milliseconds. */
const STALL_LIMIT_MS = 1_000;

/**
 * Opens standard output for log lines. A reader that stalls does not block the service: up to 8 MiB of lines wait,
 * further lines are dropped, and an exiting process stops waiting after a second in which nothing was read (the 16 kB
 * in flight may be lost then).
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
  output.on('drop', () => (dropped += 1));
  output.on('drain', () => {
    if (dropped === 0) return;
    const lines = dropped;
    dropped = 0;
    onDropped(lines);
  });
  const flush = output.flushSync.bind(output);
  output.flushSync = () => {
    isExiting = true;
    try {
      flush();
    } catch {
      // The output has no reader, so the error cannot be logged either.
    } finally {
      isExiting = false;
    }
  };
  return output;
}
