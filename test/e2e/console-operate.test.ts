import type { Page } from 'playwright-core';
import { ask, initializeAgent } from '../support/agent';
import { describeWithBrowser } from '../support/browser';
import { calculator } from '../support/calls';
import { HOSTILE, overflowOf, runEnded, startRun, useConsole, violationsOf } from '../support/console';
import { request } from '../support/http';
import { bearer, type Key, runKeys } from '../support/keys';
import { LEXICAL, newUser } from '../support/memories';
import { calculates, startModelService } from '../support/model-service';
import { type RemoteMcp, startRemoteMcp, structured } from '../support/remote-mcp';
import { deleteSchedules } from '../support/schedules';
import { startService } from '../support/service';
import { startStubPeer } from '../support/stub-peer';
import { asksAgent, playsTeam, putAgent } from '../support/team-of-agents';
import { waitFor } from '../support/wait';

const UI = 'http://127.0.0.1:9/ui';
const WHSEC = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
const CHECKED = [
  'operate?section=health',
  'operate?section=usage',
  'operate?section=schedules&item=often',
  'operate?section=schedules&item=~new',
  'operate?section=mcp&item=shop',
  'operate?section=webhooks',
  'operate?section=hooks&item=~new',
  'try?kind=workflow',
  'try?workflow=~new',
  'try?agent=clerk',
];

/** What a test needs of a field of the page. */
interface TextField {
  readonly value: string;
  focus(): void;
  setSelectionRange(from: number, to: number): void;
}

const isNotHacked = async (page: Page) => expect(await page.evaluate('globalThis.hacked')).toBeUndefined();
const entry = (page: Page, name: string) => page.locator('.right tbody tr:not(.detail)', { hasText: name });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const outcome = (page: Page) => page.getByRole('region', { name: 'Outcome' });

/** Writes the body of a request and sends it. */
async function create(page: Page, body: object): Promise<void> {
  await button(page, 'New …').click();
  await page.getByLabel('Body of the request').fill(JSON.stringify(body, undefined, 2));
  await button(page, 'Create').click();
}

describeWithBrowser('the console to operate and to try', () => {
  const stage = useConsole({ ...LEXICAL, EGRESS_ALLOW_PRIVATE: 'true', TEMPORAL_UI_URL: UI });
  const { open } = stage;
  let remote: RemoteMcp;

  beforeAll(async () => {
    remote = await startRemoteMcp({
      find: {
        description: 'Finds things',
        annotations: { readOnlyHint: true },
        call: () => structured({ items: [] }),
      },
    });
  });
  afterAll(() => remote.close());

  test('shows the health of the components, and the pollers of the queues', async () => {
    const page = await open('operate');
    await page.getByRole('link', { name: 'Health' }).waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    const components = page.getByRole('table', { name: 'Components' });
    await components
      .getByRole('row', { name: /temporal/ })
      .getByText('healthy')
      .waitFor();
    const queues = page.getByRole('table', { name: 'Queues' });
    expect(await queues.getByRole('row', { name: /healthy/ }).count()).toBeGreaterThan(0);
    await page.keyboard.press('Escape');
    await components.waitFor({ state: 'detached' });
    await page.close();
  });

  test('draws what runs have used, and says it in words and in a table', async () => {
    const failed = await startRun(stage.service, '/api/tools/execute', calculator('divide', 1, 0));
    await runEnded(stage.service, failed);
    const page = await open('operate?section=usage');
    await page.getByText(/^[1-9]\d* runs, [1-9]\d* of them failed$/).waitFor();
    await page.getByText(/^Half of the latest [1-9]\d* runs took/).waitFor();
    expect(await page.locator('.chart canvas').count()).toBe(4);
    expect(await page.locator('[style]:not(.chart *):not(.bar)').count()).toBe(0);
    const today = new Date().toISOString().slice(0, 10);
    await page.getByRole('table', { name: 'Usage by day' }).getByRole('row', { name: today }).waitFor();
    await page.getByLabel('by', { exact: true }).selectOption('agent');
    await page.getByRole('table', { name: 'Usage by agent' }).waitFor();
    expect(page.url()).toContain('by=agent');
    await page.close();
  });

  test('makes, pauses, resumes, starts and deletes a schedule', async () => {
    const page = await open('operate?section=schedules');
    await create(page, {
      id: 'yearly',
      spec: { cron: ['@yearly'] },
      action: { type: 'tool', request: calculator('add', 1, 2) },
    });
    await entry(page, 'yearly').waitFor();
    await page.locator('.right').focus();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.locator('.panel').waitFor();
    expect(page.url()).toContain('item=yearly');
    await button(page, 'Pause').click();
    await entry(page, 'paused').waitFor();
    await button(page, 'Resume').click();
    await entry(page, 'active').waitFor();
    await button(page, 'Start now').click();
    await page.getByRole('link', { name: 'its run' }).waitFor();
    await button(page, 'Delete').click();
    await button(page, 'Delete for good').click();
    await entry(page, 'yearly').waitFor({ state: 'detached' });
    await create(page, { id: 'x', spec: {}, action: {} });
    await page.getByText('VALIDATION').waitFor();
    expect(stage.problems.splice(0).join()).toContain('400');
    await page.close();
  });

  test('adds an MCP server, and uses changed tools once a person has confirmed the difference', async () => {
    const page = await open('operate?section=mcp');
    await create(page, { name: 'shop', url: remote.url });
    await entry(page, '1 tools').click();
    remote.tools.set('find', { description: HOSTILE, call: () => structured({}) });
    remote.tools.set('buy', { description: 'Buys things', call: () => structured({}) });
    await button(page, 'Refresh').click();
    const difference = page.getByRole('region', { name: 'Tools to confirm' });
    await difference.locator('del', { hasText: 'Finds things' }).waitFor();
    await difference.locator('ins', { hasText: HOSTILE }).waitFor();
    await difference.locator('ins', { hasText: 'Buys things' }).waitFor();
    await button(page, 'Use these tools').click();
    await entry(page, '2 tools').waitFor();
    await difference.waitFor({ state: 'detached' });
    await isNotHacked(page);
    await page.close();
  });

  test('shows deliveries of webhooks, and hooks', async () => {
    const receiver = await startStubPeer((_, response) => void response.writeHead(204).end());
    const { host } = new URL(receiver.url);
    const webhook = { url: receiver.url, secret: WHSEC };
    await startRun(stage.service, '/api/tools/execute', { ...calculator('add', 1, 2), options: { webhook } });
    const page = await open('operate?section=webhooks');
    await entry(page, `run.completed to ${host}`).filter({ hasText: 'delivered' }).click();
    await page.getByRole('link', { name: 'its run' }).waitFor();
    await page.getByRole('link', { name: 'Hooks', exact: true }).click();
    await create(page, {
      id: 'shop',
      workflowId: 'fetch-and-extract',
      verify: 'token',
      secret: 's'.repeat(20),
    });
    await entry(page, '/hooks/shop').click();
    await button(page, 'Delete').click();
    await button(page, 'Delete for good').click();
    await page.getByText('Addresses at which other services start stored workflows are here.').waitFor();
    await page.close();
    await receiver.close();
  });

  test('marks the problems of a workflow at their lines, offers what may be written, and follows its run', async () => {
    const page = await open('try?workflow=~new');
    const field = page.getByLabel('Definition');
    const step = (more: object) => ({ id: 'sum', type: 'tool_execution', ...more });
    const config = { toolName: 'calculator', args: { operation: 'add', a: '{{input.a}}', b: 2 } };
    const text = (steps: object[]) => JSON.stringify({ name: HOSTILE.slice(0, 60), steps }, undefined, 2);
    await field.fill(text([step({ config, timeuot: 5 }), { id: 'next', type: 'unknown', config }]));
    await page.getByText(/sum · timeuot/).waitFor();
    const lines = text([step({ config, timeuot: 5 }), { id: 'next', type: 'unknown', config }]).split('\n');
    const marked = [1, 2].map(
      (at) => lines.findIndex((line) => line.includes(['', '"timeuot"', '"unknown"'][at]!)) + 1,
    );
    await waitFor(
      async () =>
        JSON.stringify(await page.locator('.gutter .marked').allTextContents()) ===
        JSON.stringify(marked.map(String))
          ? true
          : undefined,
      { what: 'the marks' },
    );
    expect(await button(page, 'Run').isDisabled()).toBe(true);
    await field.fill('{ "name": }');
    await page.locator('.gutter .marked').waitFor();

    await field.fill(text([step({ config: { ...config, toolName: 'calc' } })]));
    await field.evaluate((node: TextField) => {
      const at = node.value.indexOf('calc') + 4;
      node.focus();
      node.setSelectionRange(at, at);
    });
    await page.getByRole('list', { name: 'Suggestions' }).getByRole('button', { name: 'calculator' }).click();
    expect(JSON.parse(await field.inputValue()).steps[0].config.toolName).toBe('calculator');
    await page.getByLabel(/^a/).fill('40');
    await button(page, 'Run').click();
    await outcome(page).getByText('42', { exact: true }).waitFor();
    await page.getByRole('img', { name: /sum, completed/ }).waitFor();
    await page.getByLabel('Id').fill('console-sum');
    await button(page, 'Store').click();
    await page.getByText('stored as console-sum').waitFor();
    await page.reload();
    await page.getByRole('heading', { name: HOSTILE.slice(0, 60) }).waitFor();
    await page.getByLabel(/^a/).fill('1');
    await button(page, 'Run').click();
    await outcome(page).getByText('completed').first().waitFor();
    await outcome(page).getByRole('link', { name: 'its run' }).click();
    const link = page.getByRole('link', { name: 'open in the Temporal UI' });
    expect(await link.getAttribute('href')).toMatch(
      /^http:\/\/127\.0\.0\.1:9\/ui\/namespaces\/.+\/workflows\/.+\/history$/,
    );
    await isNotHacked(page);
    await page.close();
  });

  test('stores an agent, and tries it', async () => {
    await initializeAgent(stage.service);
    const page = await open('try?agent=~new');
    const definition = { name: HOSTILE, description: HOSTILE, instructions: 'Count.', tools: ['calculator'] };
    await page.getByLabel('Definition').fill('{ "name": "x" }');
    await page.getByText('instructions is required').waitFor();
    await page.getByLabel('Definition').fill(JSON.stringify(definition, undefined, 2));
    await page.getByLabel('Id').fill('clerk');
    await button(page, 'Store').click();
    await page.getByText('stored as clerk').waitFor();
    await page.getByLabel('query').fill('What is 15 times 7?');
    await button(page, 'Run').click();
    await outcome(page).getByText(/105/).first().waitFor();
    await outcome(page).getByRole('link', { name: 'its run' }).waitFor();
    await isNotHacked(page);
    await page.close();
  });

  test.each(['light', 'dark'] as const)(
    'is clean by axe in %s, and never scrolls sideways',
    async (scheme) => {
      await stage.service.post('/api/schedules', {
        id: 'often',
        spec: { interval: '1h' },
        action: { type: 'tool', request: calculator('add', 1, 2) },
      });
      const [page, narrow] = await Promise.all([open('', { scheme }), open('', { scheme, width: 320 })]);
      const found: unknown[] = [];
      for (const hash of CHECKED) {
        for (const each of [page, narrow]) {
          await each.locator('nav a[aria-current]').first().waitFor();
          await each.goto(`${stage.service.url}/console#/${hash}`);
          const seen =
            hash.includes('section') || hash.includes('~') || hash.includes('agent')
              ? '.right h2'
              : 'tbody tr';
          await each.locator(seen).first().waitFor();
          if (/item=(often|shop)/.test(hash)) await each.locator('.panel').waitFor();
          if (hash.includes('usage')) await each.locator('.chart canvas').nth(3).waitFor();
        }
        found.push([hash, await violationsOf(page), await overflowOf(narrow)]);
      }
      expect(found).toEqual(CHECKED.map((hash) => [hash, [], 0]));
      await deleteSchedules(stage.service);
      await Promise.all([page.close(), narrow.close()]);
    },
  );

  test('shows keys to an administrator alone, a new one once, and asks nothing that is refused', async () => {
    const locked = await startService({ ...LEXICAL, AUTH: 'keys' });
    try {
      const make = (scopes: string) =>
        runKeys<Key>(locked.dataDir, 'create', '--name', scopes, '--scopes', scopes);
      const [admin, reader] = [await make('read,tools,admin'), await make('read')];
      const enter = async (key: string): Promise<Page> => {
        const page = await open('operate', { url: locked.url });
        await page.getByLabel('Key or token').fill(key);
        await button(page, 'Use this key').click();
        await page.getByRole('link', { name: 'Health' }).waitFor();
        return page;
      };
      const page = await enter(admin.key);
      await page.getByRole('link', { name: 'Keys' }).click();
      await create(page, { name: HOSTILE, scopes: ['read'] });
      const made = (await page.locator('.made code').textContent()) ?? '';
      const read = () => request(`${locked.url}/api/tools`, { headers: bearer(made) });
      expect((await read()).status).toBe(200);
      await page.reload();
      await entry(page, HOSTILE).click();
      expect(await page.getByText(made).count()).toBe(0);
      await button(page, 'Revoke').click();
      await button(page, 'Revoke for good').click();
      await entry(page, HOSTILE).waitFor({ state: 'detached' });
      await waitFor(async () => ((await read()).status === 401 ? true : undefined), { what: 'the refusal' });
      await isNotHacked(page);
      await page.close();

      const other = await enter(reader.key);
      const sections = other.locator('.left tbody a');
      expect(await sections.allTextContents()).toEqual([
        'Health',
        'Usage',
        'Schedules',
        'MCP servers',
        'Webhooks',
      ]);
      for (const at of [0, 1, 2, 3, 4]) {
        await sections.nth(at).click();
        await other.locator('.right :is(table, .empty, .chart)').first().waitFor();
      }
      for (const kind of ['tool', 'workflow', 'agent']) {
        await other.goto(`${locked.url}/console#/try?kind=${kind}`);
        await other.locator('.left :is(tbody, .empty)').waitFor();
      }
      await other.close();
    } finally {
      await locked.stop();
    }
  });

  test('shows the run of an agent that was asked as bars below its step', async () => {
    const service = await startModelService({ OPENAI_MODEL: 'gpt-4o-mini' });
    try {
      await initializeAgent(service);
      await putAgent(service, 'lead', { agents: ['stock'] });
      await putAgent(service, 'stock', { tools: ['calculator'] });
      service.hosted.otherwise(
        playsTeam({
          lead: { calls: [asksAgent('stock', 'Count the lamps')], says: 'Seven.' },
          stock: { calls: [calculates('add', 3, 4)], says: 'I count 7.' },
        }),
      );
      const answer = await ask(service, 'How many lamps?', { userId: newUser(), agent: 'lead' });
      const page = await open(`runs?run=${answer.headers.get('x-trace-id')}`, { url: service.url });
      await page.locator('button.step', { hasText: 'agent_stock' }).click();
      const child = page.getByRole('region', { name: 'The run of this step' });
      await child.locator('.step', { hasText: 'calculator' }).locator('.bar').waitFor();
      await page.goto(`${service.url}/console#/operate?section=usage`);
      await page.getByText(/^[1-9][\d,]* tokens$/).waitFor();
      await page.close();
    } finally {
      await service.stop();
    }
  });
});
