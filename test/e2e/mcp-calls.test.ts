import { randomUUID } from 'node:crypto';
import { send } from '../support/http';
import { connectMcp, runOf, textOf, type McpConnection, type McpEra } from '../support/mcp';
import { type Api, openStage, type Stage } from '../support/stage';
import { endedRun, type RunIds } from '../support/stop-runs';
import { waitFor } from '../support/wait';

let stage: Stage;
let api: Api;
beforeAll(async () => {
  stage = await openStage();
  [api] = await Promise.all([stage.api(), stage.worker()]);
  const tools = {
    long: '() => "x".repeat(70000)',
    picture: '() => ({ content: [{ type: "image", data: "AAAA", mimeType: "image/png" }] })',
    guarded: '(args) => args.text.toUpperCase()',
  };
  for (const [name, execute] of Object.entries(tools)) {
    const guard = name === 'guarded' ? { requiresApproval: true, parameters: { text: 'string' } } : {};
    expect((await api.post('/api/tools/register', { name, execute, ...guard })).status).toBe(201);
  }
});
afterAll(() => stage.close());

const held = (name: string) => ({
  name: 'api_call',
  arguments: { url: `${stage.peer.url}/held/${name}` },
});

describe.each<McpEra>(['modern', 'legacy'])('a call of the %s era', (era) => {
  let connection: McpConnection;
  beforeAll(async () => {
    connection = await connectMcp(api.url, era);
  });
  afterAll(() => connection.close());

  test('reports the events of its run as progress', async () => {
    const seen: { progress: number; message?: string | undefined }[] = [];
    await connection.client.callTool(
      { name: 'calculator', arguments: { operation: 'add', a: 1, b: 2 } },
      { onprogress: (progress) => void seen.push(progress) },
    );
    const places = seen.map(({ progress }) => progress);
    expect(places.length).toBeGreaterThanOrEqual(3);
    expect(places).toEqual(places.map((_, at) => at + 1));
    expect(seen.every(({ message }) => typeof message === 'string')).toBe(true);
  });

  test('links an output that is long, and passes on content of the protocol', async () => {
    const long = await connection.client.callTool({ name: 'long', arguments: {} });
    const link = (long.content as { type: string; uri: string }[]).find(
      ({ type }) => type === 'resource_link',
    )!;
    const { contents } = await connection.client.readResource({ uri: link.uri });
    const record = JSON.parse((contents[0] as { text: string }).text);
    expect(record.result.result).toBe('x'.repeat(70_000));
    const picture = await connection.client.callTool({ name: 'picture', arguments: {} });
    expect(picture.content).toEqual([{ type: 'image', data: 'AAAA', mimeType: 'image/png' }]);
  });

  test('joins the run of an earlier call with the same key', async () => {
    const params = {
      name: 'calculator',
      arguments: { operation: 'add', a: 1, b: 2 },
      _meta: { 'holdfast/idempotencyKey': randomUUID() },
    };
    const first = runOf(await connection.client.callTool(params));
    expect(runOf(await connection.client.callTool(params))).toEqual(first);
    const other = await connection.client.callTool({
      ...params,
      arguments: { operation: 'add', a: 1, b: 3 },
    });
    expect([other.isError, other._meta!['holdfast/code']]).toEqual([true, 'RUN_CONFLICT']);
    const invalid = await connection.client
      .callTool({
        ...params,
        _meta: { 'holdfast/idempotencyKey': 'not a key' },
      })
      .catch((error: unknown) => error);
    expect(invalid).toMatchObject({ code: -32602 });
  });

  test('cancels its run where the client gives it up', async () => {
    const giveUp = new AbortController();
    const run = await duringCall(`given-up-${era}`, giveUp.signal);
    giveUp.abort();
    expect((await endedRun(api, run)).body.data).toMatchObject({ status: 'cancelled' });
  });

  test('cancels its run where its client gives it up while its user is asked', async () => {
    // A client of the later era is asked between two calls.
    if (era === 'modern') return;
    const asking = await connectMcp(api.url, era, { capabilities: { elicitation: {} } });
    const isAsked = new Promise<void>((resolve) => {
      asking.client.setRequestHandler('elicitation/create', () => {
        resolve();
        return new Promise(() => undefined);
      });
    });
    const giveUp = new AbortController();
    const seen: Record<string, unknown>[] = [];
    const call = asking.client.callTool(
      { name: 'guarded', arguments: { text: 'hello' } },
      {
        signal: giveUp.signal,
        onprogress: (progress) =>
          void seen.push((progress as { _meta?: Record<string, unknown> })._meta ?? {}),
      },
    );
    call.catch(() => undefined);
    await isAsked;
    const run = runOf({ _meta: seen[0] });
    giveUp.abort();
    expect((await endedRun(api, run)).body.data).toMatchObject({ status: 'cancelled' });
    await asking.close();
  });

  test('continues without its connection where it has an idempotency key', async () => {
    // A client of the older era gives up by a message, which cancels.
    if (era === 'legacy') return;
    const meta = { 'holdfast/idempotencyKey': randomUUID() };
    const giveUp = new AbortController();
    const run = await duringCall('lost', giveUp.signal, meta);
    giveUp.abort();
    const joined = connection.client.callTool({ ...held('lost'), _meta: meta });
    stage.peer.release('/held/lost');
    expect(runOf(await joined)).toEqual(run);
    expect((await endedRun(api, run)).body.data).toMatchObject({ status: 'completed' });
  });

  /** Calls a tool that does not answer, and returns its run. */
  async function duringCall(
    name: string,
    signal: AbortSignal,
    meta: Record<string, unknown> = {},
  ): Promise<RunIds> {
    const started: Record<string, unknown>[] = [];
    const call = connection.client.callTool(
      { ...held(name), _meta: meta },
      {
        signal,
        onprogress: (progress) =>
          void started.push((progress as { _meta?: Record<string, unknown> })._meta ?? {}),
      },
    );
    call.catch(() => undefined);
    await stage.peer.arrived(`/held/${name}`);
    const first = await waitFor(() => started[0], { what: 'the first progress' });
    return runOf({ _meta: first });
  }

  test('asks the user of the client about a call that needs an approval', async () => {
    const asked: unknown[] = [];
    const answers = [
      { action: 'accept', content: { confirm: true } },
      { action: 'accept', content: { confirm: false, comment: 'not today' } },
    ] as const;
    const asking = await connectMcp(api.url, era, { capabilities: { elicitation: {} } });
    asking.client.setRequestHandler('elicitation/create', ({ params }) => {
      asked.push(params);
      return answers[asked.length - 1]!;
    });
    const call = () => asking.client.callTool({ name: 'guarded', arguments: { text: 'hello' } });
    expect(textOf(await call())).toBe('HELLO');
    expect(asked[0]).toMatchObject({ message: expect.stringContaining('guarded') });
    const denied = await call();
    expect([denied.isError, denied._meta!['holdfast/code']]).toEqual([true, 'APPROVAL_DENIED']);
    expect(textOf(denied)).toContain('not today');
    await asking.close();
  });

  test('says where the run is that waits for an approval, where the client cannot ask', async () => {
    const result = await connection.client.callTool({ name: 'guarded', arguments: { text: 'hello' } });
    expect([result.isError, result._meta!['holdfast/code']]).toEqual([true, 'RUN_PAUSED']);
    const run = runOf(result);
    const stopped = await send('POST', `${api.url}/api/runs/${run.traceId}/cancel`, {});
    expect(stopped.status).toBeLessThan(300);
    expect((await endedRun(api, run)).body.data).toMatchObject({ status: 'cancelled' });
  });
});
