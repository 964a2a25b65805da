const TRIES = 5;

/**
 * The CPU time that this process spends on a piece of work, microseconds: the least of several tries. Other programs
 * of a busy machine change it little, so that the times of two pieces of work can be compared.
 */
export function measureCpuTime(work: () => unknown): number {
  const times = Array.from({ length: TRIES }, () => {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    return user + system;
  });
  return Math.min(...times);
}
