import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Route } from 'playwright-core';
import { describeWithBrowser } from '../support/browser';
import { answerApproval } from '../support/approvals';
import { calculator } from '../support/calls';
import {
  HOSTILE,
  openApproval,
  runEnded,
  startRun,
  untilTitled,
  useConsole,
  violationsOf,
} from '../support/console';
import { bearer, type Key, runKeys } from '../support/keys';
import { LEXICAL } from '../support/memories';
import { request } from '../support/http';
import { startService } from '../support/service';
import { waitFor } from '../support/wait';

const ROOT = join(__dirname, '../..');
const CHANGING = { options: { approval: { tools: 'all' } } };

describeWithBrowser('the console', () => {
  const stage = useConsole({ ...LEXICAL, EGRESS_ALLOW_PRIVATE: 'true' });
  const { open, problems } = stage;
  const start = (path: string, body: object) => startRun(stage.service, path, body);
  const ended = (traceId: string) => runEnded(stage.service, traceId);

  const workflow = {
    name: HOSTILE.slice(0, 60),
    steps: [
      { id: 'health', type: 'api_call', config: { url: '{{input.url}}' } },
      {
        id: 'each',
        type: 'tool_execution',
        forEach: { items: '{{input.items}}', concurrency: 50 },
        config: { toolName: 'calculator', args: { operation: 'add', a: '{{item}}', b: 1 } },
      },
      {
        id: 'divide',
        type: 'tool_execution',
        config: { toolName: 'calculator', args: { operation: 'divide', a: 4, b: '{{input.by}}' } },
      },
    ],
  };
  const inputsOf = (by: number, count: number) => ({
    url: `${stage.service.url}/api/health`,
    items: Array.from({ length: count }, (_, at) => at),
    by,
    text: HOSTILE,
  });

  test('says what would be here, and shows new runs when the reader asks', async () => {
    const page = await open('');
    await page.getByText('Runs are here').waitFor();
    await ended(await start('/api/tools/execute', calculator('add', 1, 2)));
    await page.getByRole('link', { name: 'calculator' }).waitFor();
    await ended(await start('/api/tools/execute', calculator('divide', 1, 0)));
    await page.getByRole('button', { name: '1 change' }).click();
    expect(await page.locator('tbody tr').count()).toBe(2);

    await page.getByLabel('status').selectOption('failed');
    await waitFor(async () => ((await page.locator('tbody tr').count()) === 1 ? true : undefined), {
      what: 'the filter',
    });
    expect(page.url()).toContain('#/runs?status=failed');
    await page.goBack();
    await waitFor(async () => ((await page.locator('tbody tr').count()) === 2 ? true : undefined), {
      what: 'the way back',
    });
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    // The failed step is open, its error first.
    await page
      .getByRole('region', { name: 'Run', exact: true })
      .getByText('Division by zero')
      .first()
      .waitFor();
    expect(page.url()).toMatch(/run=.*step=1/);
    const run = page.getByRole('region', { name: 'Run', exact: true });
    const opened = new URLSearchParams(new URL(page.url()).hash.split('?')[1]).get('run');
    await page.keyboard.press('?');
    await page.getByRole('complementary', { name: 'Keys' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('complementary', { name: 'Keys' }).waitFor({ state: 'detached' });
    expect(await run.count()).toBe(1);
    await page.keyboard.press('Escape');
    await run.waitFor({ state: 'detached' });
    await waitFor(async () => (await page.evaluate('document.activeElement.dataset.opens')) === opened, {
      what: 'the focus at the row that was open',
    });
    await page.close();
  });

  test('opens steps, runs again from one with other input, and takes no text for HTML', async () => {
    const traceId = await start('/api/workflow/execute-custom', { workflow, inputs: inputsOf(0, 3) });
    await ended(traceId);
    const page = await open(`runs?run=${traceId}`);
    await page.locator('button.step', { hasText: ' of ' }).click();
    await page.locator('button.step', { hasText: 'each[2]' }).click();
    await page.getByRole('region', { name: 'Output', exact: true }).getByText('3', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Run again …' }).click();
    await page.getByLabel('From').selectOption('divide');
    await page.getByLabel('Configuration of divide').fill('{"args":{"b":2}}');
    await page.getByRole('button', { name: 'Run again', exact: true }).click();
    await page.waitForURL((url) => !url.hash.includes(traceId) && !url.hash.includes('rerun'));
    const again = new URLSearchParams(new URL(page.url()).hash.split('?')[1]).get('run');
    const { status, reused } = await ended(String(again));
    expect([status, reused]).toEqual(['completed', ['health', 'each']]);
    await page.getByText('reused').first().waitFor();
    await page.locator('.right .head').getByText('completed').waitFor();
    expect(await page.getByText(HOSTILE).count()).toBeGreaterThan(0);
    expect(await page.evaluate('globalThis.hacked')).toBeUndefined();
    await page.close();
  });

  test('keeps few rows of a thousand steps in the document, and all within reach', async () => {
    const calculations = { ...workflow, steps: workflow.steps.slice(1) };
    const body = { workflow: calculations, inputs: inputsOf(1, 995) };
    const traceId = await start('/api/workflow/execute-custom', body);
    const { status, error } = await ended(traceId);
    expect([status, error]).toEqual(['completed', undefined]);
    const page = await open(`runs?run=${traceId}`);
    await page.getByText('995 of 995').waitFor({ timeout: 120_000 });
    await page.locator('button.step', { hasText: ' of ' }).click();
    const rows = page.getByRole('listitem').filter({ has: page.locator('.step') });
    await page.locator('button.step', { hasText: 'each[3]' }).waitFor();
    expect(await rows.count()).toBeLessThanOrEqual(200);
    await page.locator('.pages select').selectOption({ label: '901 – 997' });
    await page.locator('button.step', { hasText: 'each[900]' }).click();
    await page
      .getByRole('region', { name: 'Output', exact: true })
      .getByText('901', { exact: true })
      .waitFor();
    expect(await rows.count()).toBeLessThanOrEqual(200);
    await page.close();
  });

  test('an approval is answered in one of two windows, and the other says by whom', async () => {
    const traceId = await start('/api/tools/execute', { ...calculator('add', 1, 2), ...CHANGING });
    const id = await openApproval(stage.service, traceId);
    const [first, second] = await Promise.all([
      open(`waiting?approval=${id}`),
      open(`waiting?approval=${id}`, { scheme: 'dark' }),
    ]);
    await second.getByRole('button', { name: 'Approve' }).waitFor();
    await untilTitled(first, '(1) ');
    const args = first.getByLabel('Arguments', { exact: true });
    await args.fill('{"operation":"add","a":"x"}');
    await first.getByText('a must be of type number').waitFor();
    expect(await first.getByRole('button', { name: 'Approve' }).isDisabled()).toBe(true);
    await args.fill('{"operation":"add","a":40,"b":2}');
    await first.getByLabel('Comment').fill(HOSTILE);
    await first.getByLabel('Your name').fill('ada');
    await first.getByRole('button', { name: 'Approve with these changes' }).click();
    await Promise.all([first, second].map((page) => page.getByText('approved by ada').first().waitFor()));
    expect((await ended(traceId)).result.result).toBe(42);
    await untilTitled(first, 'Waiting');
    await Promise.all([first.close(), second.close()]);
  });

  test('a tool is run by its form, and its run is a click away', async () => {
    const page = await open('try?tool=calculator');
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByText('is required').first().waitFor();
    await page.getByLabel('operation').selectOption('divide');
    await page.getByLabel(/^a/).fill('84');
    await page.getByLabel(/^b/).fill('2');
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByRole('region', { name: 'Outcome' }).getByText('42', { exact: true }).waitFor();
    await page.getByLabel(/^b/).fill('0');
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByText('Division by zero').waitFor();
    await page.getByRole('link', { name: 'its run' }).click();
    await page
      .getByRole('region', { name: 'Run', exact: true })
      .getByText('Division by zero')
      .first()
      .waitFor();
    await page.close();
  });

  test('an answer that comes late leaves the reader where the reader is', async () => {
    const page = await open('try?tool=calculator');
    const held: Route[] = [];
    await page.route('**/api/tools/execute', (route) => void held.push(route));
    await page.getByLabel('operation').selectOption('add');
    await page.getByLabel(/^a/).fill('1');
    await page.getByLabel(/^b/).fill('2');
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    const route = await waitFor(async () => held[0], { what: 'the request' });
    await page.getByRole('link', { name: 'Waiting' }).click();
    const answered = page.waitForResponse('**/api/tools/execute');
    await route.continue();
    await (await answered).finished();
    await page.getByLabel('status').selectOption('denied');
    expect(new URL(page.url()).hash).toBe('#/waiting?status=denied');
    await page.close();
  });

  test('approvals behind the first page are a click away', async () => {
    const ids: string[] = [];
    for (const a of [1, 2]) {
      const traceId = await start('/api/tools/execute', { ...calculator('add', a, 1), ...CHANGING });
      ids.push(await openApproval(stage.service, traceId));
    }
    const page = await open('');
    // The count in the title asks for more.
    await page.route(/approvals[?](?!.*limit)/, (route) =>
      route.continue({ url: `${route.request().url()}&limit=1` }),
    );
    await page.goto(`${stage.service.url}/console#/waiting?status=pending`);
    const more = page.getByRole('button', { name: 'More' });
    await more.click();
    await page.locator('tbody tr').nth(1).waitFor();
    await page.close();
    for (const id of ids) await answerApproval(stage.service, { id }, { decision: 'deny' });
  });

  test.each(['light', 'dark'] as const)('is clean by axe in %s', async (scheme) => {
    const traceId = await start('/api/workflow/execute-custom', { workflow, inputs: inputsOf(0, 3) });
    await ended(traceId);
    const waiting = await start('/api/tools/execute', { ...calculator('add', 1, 2), ...CHANGING });
    const id = await openApproval(stage.service, waiting);
    const page = await open(`runs?run=${traceId}&rerun=divide`, { scheme });
    await page.getByLabel('Configuration of divide').waitFor();
    const found = [await violationsOf(page)];
    for (const hash of [`runs?run=${waiting}`, 'runs', `waiting?approval=${id}`, 'try?tool=api_call']) {
      await page.goto(`${stage.service.url}/console#/${hash}`);
      await page.locator('tbody tr').first().waitFor();
      if (hash.includes('=')) await page.locator('.right h2').waitFor();
      found.push(await violationsOf(page));
    }
    expect(found).toEqual([[], [], [], [], []]);
    await page.close();
    await answerApproval(stage.service, { id }, { decision: 'deny' });
  });

  test('asks for a key, keeps it in the tab, and forgets one that is refused', async () => {
    const locked = await startService({ ...LEXICAL, AUTH: 'keys' });
    try {
      // What a key may not see is not asked for: no request fails.
      for (const [scope, panes] of [
        ['run', []],
        ['memory', ['Memory']],
        ['read', ['Runs', 'Waiting', 'Try', 'Chat', 'Operate']],
      ] as const) {
        const limited = await runKeys<Key>(locked.dataDir, 'create', '--name', scope, '--scopes', scope);
        const page = await open('memory?user=ann', { url: locked.url });
        await page.getByLabel('Key or token').fill(limited.key);
        await page.getByRole('button', { name: 'Use this key' }).click();
        await page.locator('.empty').waitFor();
        const links = page.getByRole('navigation', { name: 'Panes' }).getByRole('link');
        expect(await links.allTextContents()).toEqual(panes);
        for (const pane of panes) {
          await page.getByRole('link', { name: pane, exact: true }).click();
          await page.getByRole('heading', { name: pane, exact: true }).waitFor({ state: 'attached' });
          await page.locator('main :is(table, .empty, form)').first().waitFor();
        }
        if (scope === 'read') {
          await page.goto(`${locked.url}/console#/chat?user=ann&session=s`);
          await page.getByText('The agent of this service is not initialized.').waitFor();
        }
        expect(problems.splice(0)).toEqual([]);
        await page.close();
      }
      const { key, id } = await runKeys<Key>(
        locked.dataDir,
        ...['create', '--name', 'page', '--scopes', 'read,run'],
      );
      const page = await open('', { url: locked.url });
      await page.getByLabel('Key or token').fill(key);
      await page.getByRole('button', { name: 'Use this key' }).click();
      await page.getByText('Runs are here').waitFor();
      expect(await page.evaluate('Object.keys(localStorage).length')).toBe(0);
      await page.reload();
      await page.getByText('Runs are here').waitFor();
      expect(problems.splice(0)).toEqual([]);
      await runKeys(locked.dataDir, 'revoke', id);
      await page.getByText('The service does not accept this key.').waitFor();
      expect(await page.evaluate('sessionStorage.length')).toBe(0);
      await page.close();
      problems.length = 0;
      expect((await request(`${locked.url}/api/runs`, { headers: bearer(key) })).status).toBe(401);
    } finally {
      await locked.stop();
    }
  });
});

test('the pages are small, and may be kept', () => {
  const assets = join(ROOT, 'dist/console/assets');
  const bytes = readdirSync(assets).map((name) => gzipSync(readFileSync(join(assets, name))).length);
  expect(bytes.length).toBe(2);
  expect(bytes.reduce((sum, each) => sum + each, 0)).toBeLessThan(120_000);
});

test('are served with a policy, are not sent twice, and can be switched off', async () => {
  const [on, off] = await Promise.all([startService(LEXICAL), startService({ ...LEXICAL, CONSOLE: 'off' })]);
  try {
    const page = await on.get('/console');
    expect(page.headers.get('content-security-policy')).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; " +
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    );
    const script = /src="([^"]+[.]js)"/.exec(page.text)?.[1] ?? '';
    const asset = await on.get(script);
    expect(asset.headers.get('cache-control')).toContain('immutable');
    const again = await request(`${on.url}/console`, {
      headers: { 'if-none-match': String(page.headers.get('etag')), 'cache-control': 'max-age=0' },
    });
    expect(again.status).toBe(304);
    expect((await on.get('/')).body.data.links.console).toBe('/console');
    expect((await off.get('/console')).status).toBe(404);
    expect((await off.get('/')).body.data.links.console).toBeUndefined();
  } finally {
    await Promise.all([on.stop(), off.stop()]);
  }
});
