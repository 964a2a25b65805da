import { randomUUID } from 'node:crypto';
import { answerApproval, approvalsIn, untilEnded } from '../support/approvals';
import type { Answer } from '../support/http';
import { callsTools, says } from '../support/model-server';
import { type ModelService, startModelService } from '../support/model-service';
import { startRemoteMcp, text, type RemoteMcp } from '../support/remote-mcp';

let service: ModelService;
let shop: RemoteMcp;

beforeAll(async () => {
  [service, shop] = await Promise.all([
    startModelService({ EGRESS_ALLOW_PRIVATE: 'true' }),
    startRemoteMcp({
      find: { annotations: { readOnlyHint: true }, call: () => text('tea') },
      buy: { call: () => text('bought') },
    }),
  ]);
  await add('shop');
});
beforeEach(() => {
  service.hosted.reset();
  shop.calls.length = 0;
});
afterAll(async () => {
  await service.stop();
  await shop.close();
});

async function add(name: string, more: object = {}): Promise<void> {
  const added = await service.post('/api/mcp-servers', { name, url: shop.url, ...more });
  expect(added.status).toBe(201);
}

/** A request whose planner calls a tool, under a key, so that it can be repeated. */
function plans(toolName: string, options: object = {}): () => Promise<Answer> {
  const key = randomUUID();
  service.hosted.script(callsTools([{ name: toolName, args: {} }]), says('Done.'));
  return () => service.post('/api/tools/mcp', { query: 'get me tea', options }, { 'idempotency-key': key });
}

test('a planned call of a remote tool waits for an approval, and is made once it has it', async () => {
  const start = plans('shop.buy');
  const [approval] = approvalsIn(await start());
  expect(approval).toMatchObject({ toolName: 'shop.buy' });
  expect(shop.calls).toEqual([]);
  await answerApproval(service, approval!, { decision: 'approve' });
  const done = await untilEnded(start);
  expect([done.status, done.body.data.finalResult]).toEqual([200, 'bought']);
  expect(shop.calls).toHaveLength(1);
});

test('a denied call is not made', async () => {
  const start = plans('shop.buy');
  const [approval] = approvalsIn(await start());
  await answerApproval(service, approval!, { decision: 'deny' });
  expect((await untilEnded(start)).status).not.toBe(202);
  expect(shop.calls).toEqual([]);
});

test.each([
  ['a read-only tool', 'shop.find', {}, 'tea'],
  ['a tool that the request allows', 'shop.buy', { allow: { tools: ['shop.buy'] } }, 'bought'],
  ['a tool of a server that the request allows', 'shop.buy', { allow: { tools: ['shop.*'] } }, 'bought'],
])('a planned call of %s does not wait', async (_, toolName, options, result) => {
  const { status, body } = await plans(toolName, options)();
  expect([status, body.data.finalResult]).toEqual([200, result]);
});

test('the rule of a server decides which of its calls wait', async () => {
  await add('trusted', { approval: 'never' });
  expect((await plans('trusted.buy')()).body.data.finalResult).toBe('bought');
  await add('guarded', { approval: 'always' });
  const start = (): Promise<Answer> =>
    service.post(
      '/api/tools/execute',
      { toolName: 'guarded.find', args: {} },
      { 'idempotency-key': 'guarded-find' },
    );
  const [approval] = approvalsIn(await start());
  await answerApproval(service, approval!, { decision: 'approve' });
  expect((await untilEnded(start)).body.data.result).toBe('tea');
});

test('an entry that can be no remote tool is refused', async () => {
  const { status } = await plans('shop.buy', { allow: { tools: ['api_call'] } })();
  expect(status).toBe(400);
});

test('an approval may name tools of a remote server, and one that it does not have is refused', async () => {
  const known = plans('shop.find', { approval: { tools: ['shop.find'] } });
  const [approval] = approvalsIn(await known());
  expect(approval).toMatchObject({ toolName: 'shop.find' });
  await answerApproval(service, approval!, { decision: 'approve' });
  expect((await untilEnded(known)).status).toBe(200);
  const { status, body } = await plans('shop.find', { approval: { tools: ['shop.finds'] } })();
  expect([status, body.details.message]).toEqual([
    400,
    'there is no tool named "shop.finds"; the nearest is shop.find',
  ]);
});
