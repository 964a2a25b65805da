import { setTimeout as delay } from 'node:timers/promises';
import type { Sandbox } from '../../src/sandbox/sandbox';

export interface Steps {
  /** A step that waits for this time, ms. */
  wait(ms: number): Promise<number>;
  /** A step that runs a small registered tool. */
  evaluate(a: number, b: number): Promise<unknown>;
}

const SOURCE = '({ a, b }) => a * b';
const LIMIT_MS = 30_000;
const OWNER = { tenant: 'default' };

export function createSteps(sandbox: Sandbox): Steps {
  return {
    async wait(ms) {
      if (ms > 0) await delay(ms);
      return ms;
    },
    evaluate: async (a, b) =>
      (await sandbox.run(SOURCE, { a, b }, { owner: OWNER, timeoutMs: LIMIT_MS })).value,
  };
}
