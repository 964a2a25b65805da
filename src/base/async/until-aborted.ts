/**
 * Resolves as `work` does, or rejects with the signal's reason as soon as it is aborted. It is needed because a name
 * lookup and a connection attempt cannot be interrupted: after the abort `work` continues in the background.
 */
export async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  let stop: () => void = () => undefined;
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason as Error);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
  try {
    // The race also handles a later rejection of the other promise, so Node.js reports none as unhandled.
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
