import { setTimeout as delay } from 'node:timers/promises';
import type { Call } from '../load';
import { median, percentile } from '../statistics';

export interface WindowFigures {
  /** Calls that ended in the window, in a second. */
  readonly rate: number;
  readonly calls: number;
  /** Both in ms. */
  readonly p50: number;
  readonly p95: number;
}

export interface WindowOptions {
  readonly callers: number;
  readonly warmUpMs: number;
  readonly windowMs: number;
  /** Called at both ends of the window. */
  readonly onEdge: () => void;
}

/** Runs callers that make one call after another, and measures them for `windowMs` after `warmUpMs`. */
export async function measureWindow(call: Call, options: WindowOptions): Promise<WindowFigures> {
  const { callers, warmUpMs, windowMs, onEdge } = options;
  let going = true;
  let samples: number[] = [];
  const run = async (): Promise<void> => {
    while (going) {
      const started = performance.now();
      await call();
      samples.push(performance.now() - started);
    }
  };
  const running = Promise.all(Array.from({ length: callers }, run));
  try {
    await Promise.race([delay(warmUpMs), running]);
    samples = [];
    onEdge();
    const began = performance.now();
    await Promise.race([delay(windowMs), running]);
    onEdge();
    const seconds = (performance.now() - began) / 1_000;
    const found = samples;
    return {
      rate: found.length / seconds,
      calls: found.length,
      p50: median(found),
      p95: percentile(found, 0.95),
    };
  } finally {
    going = false;
    await running;
  }
}
