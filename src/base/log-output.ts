import pino from 'pino';

type Output = ReturnType<typeof pino.destination>;

/** Lines that wait for a reader, bytes. */
const MAX_WAITING_BYTES = 8 * 1_048_576;
/** How long an exit waits for a reader that reads nothing, milliseconds. */
const STALL_LIMIT_MS = 1_000;

/**
 * Standard output for lines of the log. Whoever reads them may stall without holding up the service: up to 8 MiB of lines
 * wait, further ones are dropped, and an exit gives up after a second in which nothing was read
 * (it may lose the 16 kB that were on their way then).
 * @param onDropped hears how many lines were dropped, once there is room again
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
      // Nobody reads, so nobody could be told.
    } finally {
      isExiting = false;
    }
  };
  return output;
}
