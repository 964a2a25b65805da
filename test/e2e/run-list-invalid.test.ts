import { type Api, openStage, type Stage } from '../support/stage';

let stage: Stage;
let api: Api;

beforeAll(async () => {
  stage = await openStage();
  api = await stage.api();
});
afterAll(() => stage.close());

test.each([
  ['status=sleeping', 'status'],
  ['status=Completed', 'status'],
  ['status=', 'status'],
  ['area=elsewhere', 'area'],
  ['type=payCard', 'type'],
  ['stauts=failed', 'stauts'],
  ['workflowId=x&status=failed', 'workflowId'],
  ['workflowId=x&limit=5', 'workflowId'],
  ['workflowId=x&cursor=y', 'workflowId'],
  ['workflowId=', 'workflowId'],
  ['sessionId=s', 'sessionId'],
  ['userId=', 'userId'],
  ['since=yesterday', 'since'],
  ['until=2026-02-30', 'until'],
  ['limit=0', 'limit'],
  ['limit=501', 'limit'],
  ['cursor=nonsense', 'cursor'],
  [`cursor=${Buffer.from(JSON.stringify([1, `' OR 1=1`])).toString('base64url')}`, 'cursor'],
  [`tool=${encodeURIComponent(`x' OR WorkflowType = 'payCard`)}`, 'tool'],
  [`tool=${encodeURIComponent('x\\')}`, 'tool'],
  [`since=${encodeURIComponent(`2026-01-01' OR ''='`)}`, 'since'],
])('%s is a 400 that names the field', async (query, field) => {
  const { status, body } = await api.get(`/api/runs?${query}`);
  expect([status, body.details?.field]).toEqual([400, field]);
});
