import type { Answer } from '../support/http';
import { startRemoteMcp, text, type RemoteMcp } from '../support/remote-mcp';
import { openStage, type Stage } from '../support/stage';
import { waitFor } from '../support/wait';

let stage: Stage;
let shop: RemoteMcp;
/** Ends the calls that the server holds. */
let release: () => void;

beforeAll(async () => {
  const held = new Promise<void>((resolve) => (release = resolve));
  const hold = (result: string) => async () => {
    // The first call of each tool waits, and is in the hands of a worker that is killed.
    if (shop.calls.length === 1) await held;
    return text(result);
  };
  [stage, shop] = await Promise.all([
    openStage(),
    startRemoteMcp({
      find: { annotations: { readOnlyHint: true }, call: hold('tea') },
      buy: { call: hold('bought') },
    }),
  ]);
});
afterAll(async () => {
  release();
  await stage.close();
  await shop.close();
});

test('a call whose worker is stopped before its end fails, and was made once', async () => {
  const api = await stage.api({ TOOL_TIMEOUT_MS: '60000', RUN_TIMEOUT_MS: '90000', WAIT_LIMIT_MS: '90000' });
  expect((await api.post('/api/mcp-servers', { name: 'till', url: shop.url })).status).toBe(201);
  shop.calls.length = 0;
  const worker = await stage.worker({ SHUTDOWN_GRACE_MS: '500' });
  const calling = api.post('/api/tools/execute', { toolName: 'till.buy', args: {} });
  await waitFor(() => shop.calls.length === 1, { what: 'the call to arrive' });
  const [code, other] = await Promise.all([worker.stop(), stage.worker()]);
  expect(code).toBe(0);
  const { status, body } = await calling;
  await other.stop();
  expect([status, body.message, body.error]).toEqual([
    500,
    'Tool execution failed',
    expect.stringMatching(/not sent again, as it may have had its effect/),
  ]);
  expect(shop.calls).toHaveLength(1);
});

test('a call whose worker is killed is made again only where its tool is read-only', async () => {
  const api = await stage.api({ TOOL_TIMEOUT_MS: '60000', RUN_TIMEOUT_MS: '90000', WAIT_LIMIT_MS: '90000' });
  const added = await api.post('/api/mcp-servers', { name: 'shop', url: shop.url });
  expect(added.status).toBe(201);
  const callAndKill = async (toolName: string, timeout: number): Promise<Answer> => {
    shop.calls.length = 0;
    const worker = await stage.worker();
    const calling = api.post('/api/tools/execute', { toolName, args: {}, options: { timeout } });
    await waitFor(() => shop.calls.length === 1, { what: 'the call to arrive' });
    await worker.kill();
    const other = await stage.worker();
    const answer = await calling;
    await other.stop();
    return answer;
  };
  const found = await callAndKill('shop.find', 60_000);
  expect([found.status, found.body.data.result]).toEqual([200, 'tea']);
  expect(shop.calls).toHaveLength(2);
  const [key, again] = shop.keys.slice(-2);
  expect([again, key]).toEqual([key, expect.stringMatching(/^[0-9a-f-]{36}$/)]);
  const bought = await callAndKill('shop.buy', 5_000);
  expect([bought.status, bought.body.message]).toEqual([500, 'Tool execution timeout']);
  expect(bought.body.error).toMatch(/not sent again, as it may have had its effect/);
  expect(shop.calls).toHaveLength(1);
});
