const SAMPLE_MS = 1_000;

export interface CpuMeter {
  /** @returns CPU use over the last second in percent of one core; above 100 with several threads */
  percent(): number;
  stop(): void;
}

/** Samples the CPU time of this process once a second. */
export function startCpuMeter(): CpuMeter {
  let before = process.cpuUsage();
  let beforeAt = performance.now();
  let percent = 0;
  const timer = setInterval(() => {
    const used = process.cpuUsage(before);
    const now = performance.now();
    percent = (used.user + used.system) / 10 / (now - beforeAt);
    before = process.cpuUsage();
    beforeAt = now;
  }, SAMPLE_MS).unref();
  return { percent: () => percent, stop: () => clearInterval(timer) };
}
