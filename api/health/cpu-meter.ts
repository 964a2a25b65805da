const SAMPLE_MS = 1_000;

export interface CpuMeter {
  /** Use of one core over the last second, percent; above 100 with several threads. */
  percent(): number;
  stop(): void;
}

/** Samples the process's own CPU time once a second. */
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
