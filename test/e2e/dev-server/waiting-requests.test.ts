import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { temporal } from '@temporalio/proto';
import { parse } from 'yaml';
import { type OwnTemporal, startOwnTemporal } from '../../support/own-temporal';
import { sharedTemporal } from '../../support/service';
import { PROJECT_ROOT } from '../../support/deployment';
import { serverArguments } from '../../../temporal/dev-server/start-dev-server';
import { SERVER_SETTINGS } from '../../../temporal/server-settings';

const SETTING = 'frontend.namespaceCount';
/** By default a frontend lets 1,200 requests of a namespace wait for the ends of runs. */
const MORE_THAN_THE_DEFAULT = 1_300;

/** Sends `count` requests that wait for the end of one run, and returns how many of them the server refuses. */
async function refusedOf(count: number, address: string): Promise<number> {
  // The client has no interceptors, because they would repeat a refused request.
  const connection = await Connection.connect({ address, interceptors: [] });
  try {
    const client = new Client({ connection });
    const run = await client.workflow.start('none', {
      workflowId: `waiting/${Date.now()}`,
      taskQueue: 'no-worker',
    });
    const { workflowService } = connection;
    const wait = (): Promise<unknown> =>
      workflowService.getWorkflowExecutionHistory({
        namespace: 'default',
        execution: { workflowId: run.workflowId, runId: run.firstExecutionRunId },
        waitNewEvent: true,
        historyEventFilterType:
          temporal.api.enums.v1.HistoryEventFilterType.HISTORY_EVENT_FILTER_TYPE_CLOSE_EVENT,
      });
    const waiting = connection.withDeadline(Date.now() + 60_000, () =>
      Promise.allSettled(Array.from({ length: count }, wait)),
    );
    // These answers come over the same connection, so the requests before them have arrived.
    for (let round = 0; round < 20; round += 1) await run.describe();
    await run.terminate();
    const refused = (await waiting).filter(({ status }) => status === 'rejected');
    for (const { reason } of refused as PromiseRejectedResult[])
      expect(reason).toMatchObject({ code: 8, details: 'namespace concurrent poller limit exceeded' });
    return refused.length;
  } finally {
    await connection.close();
  }
}

test('more requests may wait for runs than a server lets by default', async () => {
  expect(await refusedOf(MORE_THAN_THE_DEFAULT, sharedTemporal())).toBe(0);
});

describe('the setting', () => {
  let own: OwnTemporal;
  beforeAll(async () => {
    own = await startOwnTemporal([`${SETTING}=5`]);
  });
  afterAll(() => own.stop());

  test('is the one that bounds them, and is the exact number', async () => {
    expect(await refusedOf(5, own.address)).toBe(0);
    expect(await refusedOf(8, own.address)).toBe(3);
  });
});

test('is the same for every server that the project starts', () => {
  const text = readFileSync(join(PROJECT_ROOT, 'deploy/temporal/dynamic-config.yaml'), 'utf8');
  const containers = parse(text) as Record<string, readonly { value: unknown }[]>;
  const development = serverArguments({ dataDir: 'd', searchAttributes: {} } as never);
  const value = containers[SETTING]?.[0]?.value;
  expect(value).toBeGreaterThan(MORE_THAN_THE_DEFAULT);
  const settings = Object.entries(SERVER_SETTINGS).map(([name, own]) => [name, [{ value: own }]]);
  expect(containers).toEqual(Object.fromEntries(settings));
  expect(development).toContain(`${SETTING}=${String(value)}`);
});
