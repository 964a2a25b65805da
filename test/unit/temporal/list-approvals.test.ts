import type { Engine } from '../../../temporal/engine';
import { listApprovals } from '../../../temporal/approvals/list-approvals';

/** An engine that lists runs in pages without an end, of which none is an approval. */
function openEngine(sizes: number[]): Engine {
  const client = {
    options: { loadedDataConverter: {} },
    workflowService: {
      listWorkflowExecutions({ pageSize }: { pageSize: number }) {
        sizes.push(pageSize);
        return Promise.resolve({ executions: [], nextPageToken: Buffer.from(String(sizes.length)) });
      },
    },
  };
  const native = { withDeadline: (_deadline: number, call: () => unknown) => call() };
  return { current: () => ({ client, native, namespace: 'default' }) } as unknown as Engine;
}

test('some approvals are read at once, because each may have a megabyte, however long a page is', async () => {
  const sizes: number[] = [];
  const filter = { owner: { tenant: 'default' } };
  const { next } = await listApprovals(openEngine(sizes), 'queue', filter, { limit: 120 });
  expect(sizes).toEqual([50, 50, 20]);
  expect(next?.toString()).toBe('3');
});
