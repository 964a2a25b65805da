import type { Answer } from '../support/http';
import { callsTools, type ModelServer, says, startModelServer } from '../support/model-server';
import { fetches, localBy } from '../support/model-service';
import { describeWithNeo4j, useNeo4j } from '../support/neo4j';
import type { PartProcess } from '../support/process';
import { figures } from '../support/runs';
import { type Api, openStage, type Stage } from '../support/stage';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy';
import { waitFor } from '../support/wait';

describeWithNeo4j('a run whose worker loses its store after a tool has had its effect', () => {
  const server = useNeo4j();
  let proxy: TcpProxy;
  let stage: Stage;
  let models: ModelServer;
  let worker: PartProcess;
  let api: Api;
  let settings: Record<string, string>;
  let address: string;

  beforeAll(async () => {
    [stage, models] = await Promise.all([openStage(), startModelServer()]);
    const { uri, username, password } = server();
    address = uri.replace('bolt://', '');
    settings = {
      ...localBy(models),
      GRAPH_STORE: 'neo4j',
      NEO4J_URI: uri,
      NEO4J_USERNAME: username,
      NEO4J_PASSWORD: password,
    };
    api = await stage.api(settings);
  });

  beforeEach(async () => {
    models.reset();
    proxy = await startTcpProxy(address);
    worker = await stage.worker({ ...settings, NEO4J_URI: `bolt://${proxy.address}` });
  });

  afterEach(async () => {
    await worker.stop();
    await proxy.close();
  });

  afterAll(async () => {
    await stage.close();
    await models.close();
  });

  /** Starts an `mcp` run that has sent its POST and whose worker cannot reach its store when it plans on. */
  async function withoutStore(through: Api, path: string): Promise<{ answer: Promise<Answer> }> {
    models.script(callsTools([fetches(stage.peer.url + path, { method: 'POST' })]), says('Sent.'));
    const answer = through.post('/api/tools/mcp', {
      query: `send it to ${stage.peer.url}`,
    });
    await stage.peer.arrived(path);
    await proxy.close();
    stage.peer.release(path);
    return { answer };
  }

  test('goes on when the store is back', async () => {
    const { answer } = await withoutStore(api, '/held-one');
    await Promise.race([worker.line('A model step waits for the store'), answer]);
    const { port } = new URL(`tcp://${proxy.address}`);
    proxy = await startTcpProxy(address, Number(port));

    const { status, body } = await answer;
    expect([status, body.error, body.data?.answer]).toEqual([200, undefined, 'Sent.']);
    expect(stage.peer.count('/held-one')).toBe(1);
    expect(models.requests).toHaveLength(2);
    await waitFor(async () => (await figures(api)).totalExecutions === 1, {
      what: 'the call to be counted',
    });
  });

  test('and whose time passes meanwhile fails without advice to ask again', async () => {
    const impatient = await stage.api({ ...settings, LLM_TIMEOUT_MS: '3000' });
    const { answer } = await withoutStore(impatient, '/held-two');
    const { status, body, headers } = await answer;
    expect(status).toBe(503);
    expect(body.message).toBe('Service unavailable');
    expect(body.details.completed.executionOrder).toEqual(['api_call']);
    expect([headers.get('x-trace-id'), headers.get('retry-after')]).toEqual([expect.any(String), null]);
    expect(stage.peer.count('/held-two')).toBe(1);
  });
});
