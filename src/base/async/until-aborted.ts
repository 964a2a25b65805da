/**
 * The outcome of `work`, or a rejection with the signal's reason as soon as it is aborted. Needed because a
 * name lookup and a connection attempt cannot be interrupted; `work` is then left to end by itself.
 */
export async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  let stop: () => void = () => undefined;
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason as Error);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
  try {
    // The race also handles a later rejection of the loser, so none is reported as unhandled.
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
