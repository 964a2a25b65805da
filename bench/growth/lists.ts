import { Connection } from '@temporalio/client';
import { ownerQuery } from '../../src/contracts/runs/run-owner';
import { DEFAULT_TENANT } from '../../src/contracts/tenants';
import { type Call, timeCalls } from '../load';
import { readCpuMs } from '../scale/cpu';
import { median, percentile } from '../statistics';
import type { BenchService } from '../service';
import { unwinding } from '../unwinding';
import type { ListCost } from './rows';

const CALLS = 60;
const PAGE_SIZE = 100;
const HTTP_PAGE_SIZE = 50;
const NAMESPACE = 'default';

/** Measures lists of runs one after another: those that the service makes, and a page of the Temporal UI. */
export async function measureLists(service: BenchService, serverPid: number): Promise<ListCost[]> {
  const connection = await Connection.connect({ address: service.temporalAddress });
  const release = unwinding.add(() => connection.close());
  try {
    const list = (query: string, pageSize = PAGE_SIZE) =>
      connection.workflowService.listWorkflowExecutions({ namespace: NAMESPACE, pageSize, query });
    const { executions } = await list(`TaskQueue = 'holdfast'`);
    const traceIds = executions.map(({ execution }) => execution?.runId ?? '');
    let n = 0;
    const lookUp = async (): Promise<void> => {
      const traceId = traceIds[(n += 1) % traceIds.length];
      const { status } = await fetch(`${service.url}/api/runs/${traceId}`);
      if (status !== 200) throw new Error(`the look-up of the run ${traceId} was answered with ${status}`);
    };
    const listPage = async (): Promise<void> => {
      const { status } = await fetch(`${service.url}/api/runs?limit=${HTTP_PAGE_SIZE}`);
      if (status !== 200) throw new Error(`a page of runs was answered with ${status}`);
    };
    const kinds: readonly [string, Call][] = [
      [`the latest ${HTTP_PAGE_SIZE} runs over HTTP`, listPage],
      ['a look-up by trace id over HTTP', lookUp],
      [`the latest ${PAGE_SIZE} runs of an area`, () => list(`HoldfastArea = 'tools'`)],
      [
        'the runs of a user without any',
        () => list(ownerQuery({ tenant: DEFAULT_TENANT, user: 'absent-user' })),
      ],
    ];
    const costs: ListCost[] = [];
    for (const [name, call] of kinds) {
      const before = readCpuMs([serverPid]);
      const times = await timeCalls(call, 1, CALLS);
      const serverCpu = (readCpuMs([serverPid]) - before) / CALLS;
      costs.push({ name, p50: median(times), p95: percentile(times, 0.95), serverCpu });
    }
    return costs;
  } finally {
    await release();
  }
}
