import { followRun } from '../../../../api/runs/follow-run';
import type { StreamedAnswer } from '../../../../api/http/route';
import type { RunEvent } from '../../../../src/contracts/http/run-events';
import type { RunFeeds } from '../../../../temporal/run-events/run-feeds';

const RUN = { workflowId: 'w', runId: 'r' };
const EVENT = { type: 'run.started', runId: 'r', sequence: 1, time: '2026-01-01T00:00:00.000Z' } as RunEvent;
const TEXT = `id: 1\nevent: run.started\ndata: ${JSON.stringify(EVENT)}\n\n`;

/** Feeds with the events of one run, which note how many readers they have. */
function feedsOf(events: readonly (RunEvent | undefined)[], hasEnded = true) {
  const readers = { open: 0 };
  async function* follow() {
    readers.open += 1;
    try {
      yield* events;
      return await Promise.resolve(hasEnded);
    } finally {
      readers.open -= 1;
    }
  }
  return { feeds: { follow } as unknown as RunFeeds, readers };
}

const options = (mayHaveEnded: boolean) => ({ after: 0, mayHaveEnded, signal: new AbortController().signal });

async function readAll(answer: Awaited<ReturnType<typeof followRun>>): Promise<string[]> {
  const texts: string[] = [];
  for await (const chunk of (answer as StreamedAnswer).chunks) texts.push(String(chunk));
  return texts;
}

describe.each([true, false])('a run that may have ended: %s', (mayHaveEnded) => {
  test('is read to its end', async () => {
    const { feeds, readers } = feedsOf([EVENT, undefined, EVENT]);
    const texts = await readAll(await followRun(feeds, RUN, options(mayHaveEnded)));
    expect(texts).toEqual(['retry: 1000\n\n', TEXT, ': still there\n\n', TEXT]);
    expect(readers.open).toBe(0);
  });

  test('has no reader when a caller leaves before the first event, as for a HEAD', async () => {
    const { feeds, readers } = feedsOf([EVENT, EVENT]);
    const { chunks } = (await followRun(feeds, RUN, options(mayHaveEnded))) as StreamedAnswer;
    const iterator = chunks[Symbol.asyncIterator]();
    await iterator.next();
    await iterator.return?.();
    expect(readers.open).toBe(0);
  });
});

test('a run that has ended, and has nothing left, is no stream', async () => {
  expect(await followRun(feedsOf([]).feeds, RUN, options(true))).toEqual({ status: 204 });
});

test('a run whose first event is long in coming is a stream while it is open, and an error after its end', async () => {
  const open = await readAll(await followRun(feedsOf([undefined, EVENT]).feeds, RUN, options(false)));
  expect(open).toEqual(['retry: 1000\n\n', ': still there\n\n', TEXT]);
  const { feeds, readers } = feedsOf([undefined, EVENT]);
  await expect(followRun(feeds, RUN, options(true))).rejects.toMatchObject({
    code: 'ENGINE_UNAVAILABLE',
    retryable: true,
  });
  expect(readers.open).toBe(0);
});

test('a stream that ends because the service stops is not the end of the run', async () => {
  expect(await readAll(await followRun(feedsOf([], false).feeds, RUN, options(true)))).toEqual([
    'retry: 1000\n\n',
  ]);
});
