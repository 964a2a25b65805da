import { createReadStream, existsSync } from 'node:fs';
import { join } from 'node:path';
import type { ServerResponse } from 'node:http';
import type { Browser } from 'playwright-core';
import type { RunEvent } from '../../src/contracts/http/run-events';
import { describeWithBrowser, openBrowser } from '../support/browser';
import { buildClient } from '../support/built-client';
import { apiCall, calculator } from '../support/calls';
import { request } from '../support/http';
import { bearer, type Key, runKeys } from '../support/keys';
import { LEXICAL } from '../support/memories';
import { type Service, startService } from '../support/service';
import { sendJson, startStubPeer, type StubPeer } from '../support/stub-peer';
import { makeTempDir } from '../support/temp-dir';
import { waitFor } from '../support/wait';

/** The package and its two dependencies, as they are installed. */
const IMPORTS = {
  'holdfast-client': '/holdfast-client/dist/esm/index.js',
  'openapi-fetch': '/openapi-fetch/dist/index.mjs',
  'eventsource-parser': '/eventsource-parser/dist/index.js',
};
/** What the page does, which is not compiled. */
const PAGE = `<!doctype html><title>page</title><link rel="icon" href="data:,">
<script type="importmap">${JSON.stringify({ imports: IMPORTS })}</script>
<script type="module">
  import { createClient } from 'holdfast-client';
  globalThis.work = async ({ baseUrl, apiKey, body }) => {
    const client = createClient({ baseUrl, apiKey });
    const tools = await client.result(client.GET('/api/tools'));
    const { data } = await client.POST('/api/tools/execute-sequential', {
      body,
      params: { header: { Prefer: 'respond-async' } },
    });
    const run = client.run(data.data);
    const waiting = run.wait();
    const events = [];
    for await (const event of run.events()) {
      events.push(event);
      await noteEvent(event);
    }
    return { tools: tools.map(({ name }) => name), events, record: await waiting };
  };
  loaded();
</script>`;

interface Done {
  readonly tools: readonly string[];
  readonly events: readonly RunEvent[];
  readonly record: { readonly runId: string; readonly workflowId: string };
}

describeWithBrowser('in a browser', () => {
  const dir = makeTempDir();
  let browser: Browser;
  let site: StubPeer;
  let peer: StubPeer;
  let service: Service;
  let apiKey: string;
  let held: ServerResponse | undefined;

  beforeAll(async () => {
    buildClient(dir.path);
    [site, peer, browser] = await Promise.all([
      startStubPeer(({ path }, response) => {
        const file = join(dir.path, 'node_modules', path);
        if (path === '/') return void response.writeHead(200, { 'content-type': 'text/html' }).end(PAGE);
        if (!existsSync(file)) return void response.writeHead(404).end();
        response.writeHead(200, { 'content-type': 'text/javascript' });
        createReadStream(file).pipe(response);
      }),
      startStubPeer(({ path }, response) => {
        if (path === '/held') held = response;
        else sendJson(response, 200, { path });
      }),
      openBrowser(),
    ]);
    service = await startService({
      ...LEXICAL,
      AUTH: 'keys',
      CORS_ORIGINS: site.url,
      EGRESS_ALLOW_PRIVATE: 'true',
    });
    const args = ['create', '--name', 'page', '--scopes', 'read,run'];
    apiKey = (await runKeys<Key>(service.dataDir, ...args)).key;
  });
  afterAll(async () => {
    await browser.close();
    await service.stop();
    await Promise.all([site.close(), peer.close()]);
    dir.remove();
  });

  test('a page of another origin lists tools, starts a run, follows all of its events and waits for it', async () => {
    const page = await browser.newPage();
    const problems: string[] = [];
    page.on('pageerror', ({ message }) => problems.push(message));
    page.on('console', (line) => line.type() === 'error' && problems.push(line.text()));
    const loaded = new Promise<void>((resolve) => void page.exposeFunction('loaded', resolve));
    // The second call is answered after the event of the first, so the stream was open by then.
    const seen: string[] = [];
    await page.exposeFunction('noteEvent', async ({ type }: RunEvent) => {
      seen.push(type);
      if (type !== 'step.completed' || seen.indexOf(type) < seen.length - 1) return;
      sendJson(await waitFor(() => held, { what: 'the second call' }), 200, { path: '/held' });
    });
    await page.goto(site.url);
    await loaded;

    const body = {
      tools: [calculator('add', 1, 2), apiCall(`${peer.url}/held`), calculator('add', 3, 4)],
    };
    const work = JSON.stringify({ baseUrl: service.url, apiKey, body });
    const done: Done = await page.evaluate(`work(${work})`);

    expect(problems).toEqual([]);
    expect(done.tools).toEqual(expect.arrayContaining(['calculator', 'api_call']));
    expect(done.record).toMatchObject({ status: 'completed', type: 'executeToolsInSequence' });
    const { runId, workflowId } = done.record;
    const stream = await request(
      `${service.url}/api/runs/${runId}/events?workflowId=${encodeURIComponent(workflowId)}`,
      { headers: { accept: 'text/event-stream', ...bearer(apiKey) } },
    );
    const all = [...stream.text.matchAll(/^data: (\{.*"sequence".*\})$/gm)].map(
      ([, event]) => JSON.parse(String(event)) as RunEvent,
    );
    expect(all.length).toBeGreaterThanOrEqual(8);
    expect(done.events).toEqual(all);
    expect(seen).toEqual(all.map(({ type }) => type));
    await page.close();
  });
});
