import { createEgress } from '../../../src/egress/create-egress';
import { useCleanup } from './cleanup';
import { startStub } from './stub-server';

const release = useCleanup();

/** Keeps the event loop busy, as parsing a large body does. */
function work(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

test('between two large bodies that arrive at once, timers get their turn', async () => {
  const held: (() => void)[] = [];
  const server = await startStub((_, response) => {
    held.push(() => response.end('x'.repeat(400_000)));
    // All bodies are sent at once.
    if (held.length === 6) for (const send of held) send();
  });
  release(() => server.close());
  const egress = createEgress({ allowPrivate: true, maxBodyBytes: 1_000_000 });
  release(() => egress.close());
  let ticks = 0;
  const timer = setInterval(() => (ticks += 1), 1);
  release(() => Promise.resolve(clearInterval(timer)));
  const ticksAt: number[] = [];
  await Promise.all(
    Array.from({ length: 6 }, async () => {
      const { signal } = new AbortController();
      const { bytes } = await egress.request({
        owner: { tenant: 'default' },
        url: server.url,
        method: 'GET',
        allowPrivate: true,
        signal,
      });
      expect(bytes).toHaveLength(400_000);
      ticksAt.push(ticks);
      work(20);
    }),
  );
  expect(new Set(ticksAt).size).toBe(6);
});
