import { watchLoop } from '../src/base/event-loop-delays';
import type { Metrics } from '../src/base/metrics';
import type { Engine } from '../temporal/engine';
import { installRuntime } from '../temporal/runtime';
import type { Part } from './process';

/** Half of the shortest interval at which Prometheus usually scrapes. */
const SAMPLE_MS = 5_000;

/**
 * Installs the SDK's runtime, which also exposes or sends the metrics. A process calls this once, before it opens
 * anything else.
 * @throws HoldfastError `CONFIGURATION` if the metrics cannot be exposed or sent as the settings say
 */
export function openMetrics({ config, logger, name, release }: Part): Metrics {
  const metrics = installRuntime(logger, config, name);
  if (metrics.enabled) release(sampleProcess(metrics));
  if (config.METRICS_ADDRESS !== undefined)
    logger.info({ address: config.METRICS_ADDRESS }, 'metrics are at /metrics');
  return metrics;
}

/** Records every few seconds what this process uses. @returns a function that ends the sampling */
function sampleProcess(metrics: Metrics): () => void {
  const loop = watchLoop();
  let usedBefore = process.cpuUsage();
  let before = performance.now();
  const sample = (): void => {
    const { user, system } = process.cpuUsage(usedBefore);
    const now = performance.now();
    const microseconds = (now - before) * 1_000;
    const { maxMs, totalMs } = loop.take();
    metrics.processFigures({
      residentBytes: process.memoryUsage.rss(),
      cores: microseconds > 0 ? (user + system) / microseconds : 0,
      loopDelaySeconds: maxMs / 1_000,
      heldUpSeconds: totalMs / 1_000,
    });
    usedBefore = process.cpuUsage();
    before = now;
  };
  sample();
  const timer = setInterval(sample, SAMPLE_MS).unref();
  return () => {
    clearInterval(timer);
    loop.end();
  };
}

/** Records every few seconds whether the engine can be reached. @returns a function that ends the sampling */
export function sampleEngine(metrics: Metrics, engine: Engine): () => void {
  const sample = (): void => metrics.engineReachable(engine.isReachable());
  sample();
  const timer = setInterval(sample, SAMPLE_MS).unref();
  return () => clearInterval(timer);
}
