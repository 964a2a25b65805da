/** A clock on which every look takes two milliseconds, however fast the machine is; `restore` puts the real one back. */
export function useSteppingClock(): { restore(): void } {
  let now = 0;
  const spy = jest.spyOn(performance, 'now').mockImplementation(() => (now += 2));
  return { restore: () => spy.mockRestore() };
}

/** Counts the iterations of the event loop that other work gets while this work is under way. */
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
