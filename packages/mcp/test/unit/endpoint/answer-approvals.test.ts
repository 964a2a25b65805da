import { answerApprovals } from '../../../endpoint/answer-approvals';
import { argumentChecks } from '../../../../../test/support/argument-checks';
import { toApprovalId } from '../../../../../temporal/approval';

const RUN = { runId: 'run', workflowId: 'execute-tool/ship' };
const APPROVAL = `${RUN.workflowId}/approval/1`;
const QUESTION = { kind: 'tool', runId: 'run', step: '1', toolName: 'ship', args: {} };
const BUDGET = { ...QUESTION, kind: 'budget', args: { limit: 'maxTokens', used: 10, limits: {}, usage: {} } };

let described: string[];
let updates: unknown[];
let question: object;
beforeEach(() => {
  [described, updates, question] = [[], [], QUESTION];
});

const pendingChildren = [{ workflowTypeName: 'approval', workflowId: APPROVAL }];
const status = { name: 'RUNNING' };
const getHandle = (workflowId: string) => ({
  describe() {
    described.push(workflowId);
    if (workflowId === RUN.workflowId) return Promise.resolve({ status, raw: { pendingChildren } });
    const memo = { question };
    return Promise.resolve({ workflowId, type: 'approval', taskQueue: 'q', status, memo });
  },
  executeUpdate(_name: string, { args }: { args: unknown[] }) {
    updates.push(...args);
    return Promise.resolve({ status: 'approved', decision: 'approve' });
  },
});
const connection = {
  native: { withDeadline: (_: number, call: () => unknown) => call() },
  client: { workflow: { getHandle } },
};
const ports = {
  engine: { current: () => connection },
  shown: { taskQueue: 'q' },
  offerOf: () => Promise.resolve({ budgets: { check: () => undefined }, argumentChecks }),
} as unknown as Parameters<typeof answerApprovals>[0];
const exchange = {
  context: {
    caller: { tenant: 'default' },
    owner: { tenant: 'default' },
    logger: { info: () => undefined },
    signal: () => new AbortController().signal,
  },
} as unknown as Parameters<typeof answerApprovals>[3];

test('of any number of responses, only those to approvals that the run waits for are looked up', async () => {
  const accepted = { action: 'accept', content: { confirm: true } };
  const others = Array.from({ length: 5_000 }, (_, at) => [toApprovalId(`other/${at}`), accepted] as const);
  const responses = Object.fromEntries([...others, [toApprovalId(APPROVAL), accepted]]);
  await answerApprovals(ports, RUN, responses, exchange);
  expect(updates).toEqual([{ decision: 'approve' }]);
  expect(new Set(described)).toEqual(new Set([RUN.workflowId, APPROVAL]));
});

test('an approval without a response stays as it is', async () => {
  await answerApprovals(ports, RUN, {}, exchange);
  expect(updates).toEqual([]);
});

test('a new limit that no run can have is refused as over HTTP', async () => {
  question = BUDGET;
  const answer = (limit: number) => ({
    [toApprovalId(APPROVAL)]: { action: 'accept', content: { confirm: true, limit } },
  });
  for (const limit of [12.5, 1e300])
    await expect(answerApprovals(ports, RUN, answer(limit), exchange)).rejects.toMatchObject({
      code: 'VALIDATION',
      details: { field: 'maxTokens' },
    });
  expect(updates).toEqual([]);
  await answerApprovals(ports, RUN, answer(20), exchange);
  expect(updates).toEqual([{ decision: 'approve', budget: { maxTokens: 20 } }]);
});
