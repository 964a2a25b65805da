/** A clock that advances by two milliseconds at each reading, on any machine; `restore` restores the real one. */
export function useSteppingClock(): { restore(): void } {
  let now = 0;
  const spy = jest.spyOn(performance, 'now').mockImplementation(() => (now += 2));
  return { restore: () => spy.mockRestore() };
}

/** Counts the iterations of the event loop that are free for other work during this work. */
export async function countLoopIterations(work: () => Promise<unknown>): Promise<number> {
  let iterations = 0;
  let isDone = false;
  const count = (): void => {
    iterations += 1;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  try {
    await work();
  } finally {
    isDone = true;
  }
  return iterations;
}
