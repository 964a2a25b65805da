import { pino } from 'pino';
import type { HeldFiles } from '../../../src/contracts/runs/files';
import { ANYONE } from '../../../src/access/caller';
import { startRun } from '../../../requests/start-runs';
import type { Starting } from '../../../requests/starting';
import type { RunClient } from '../../../temporal/runs/run-client';

test('a request that waits for a run with files keeps neither them nor their room', async () => {
  const seen: unknown[] = [];
  const files: HeldFiles = { current: [{ name: 'a', type: 'text/plain', size: 1, text: 'a' }] };
  const client: RunClient = {
    join: () => Promise.reject(new Error('there is no key')),
    execute: <R>(
      request: Parameters<RunClient['execute']>[0],
      onStarted: Parameters<RunClient['execute']>[1],
    ) => {
      seen.push(request.files?.current?.length);
      onStarted({ workflowId: 'w', runId: 'r' });
      seen.push(request.files?.current);
      return Promise.resolve('answered' as R);
    },
  };
  const context: Starting = {
    requestId: 'a-request',
    logger: pino({ level: 'silent' }),
    caller: ANYONE,
    owner: { tenant: ANYONE.tenant },
    idempotencyKey: undefined,
    admit: () => Promise.resolve(),
    releaseRoom: () => void seen.push('released'),
    signal: () => new AbortController().signal,
    noteRun: () => undefined,
  };
  const prepare = () =>
    Promise.resolve({
      workflowType: 'agentTurn',
      input: {},
      files,
      subject: { area: 'agent' as const },
      summary: '',
      runTimeoutMs: 1_000,
    });
  expect(await startRun(client, { prefix: 'agent-turn', asked: {}, prepare }, context)).toBe('answered');
  expect(seen).toEqual([1, 'released', undefined]);
});
