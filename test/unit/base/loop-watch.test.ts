import { setTimeout as delay } from 'node:timers/promises';
import { watchLoop } from '../../../src/base/loop-watch';

const holdUp = (ms: number): void => {
  for (const until = performance.now() + ms; performance.now() < until;);
};

test('hold-ups are told once, the longest and all together', async () => {
  const watch = watchLoop();
  try {
    holdUp(300);
    await delay(60);
    holdUp(500);
    const { longestMs, inAllMs } = watch.take();
    expect(longestMs).toBeGreaterThan(450);
    expect(inAllMs).toBeGreaterThan(700);
    expect(inAllMs).toBeGreaterThan(longestMs);
    const after = watch.take();
    expect(after.longestMs).toBeLessThan(longestMs);
    expect(after.inAllMs).toBeLessThan(inAllMs);
  } finally {
    watch.end();
  }
});
