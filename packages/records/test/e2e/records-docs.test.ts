import type { Browser, Page } from 'playwright-core';
import { DEMO_WORLD } from '../../domain/demo-world';
import { describeWithBrowser, openBrowser } from '../../../../test/support/browser';
import { openRecords, type RecordsApi } from '../support/records-api';

let records: RecordsApi;

beforeAll(async () => {
  records = await openRecords();
  await records.fill(DEMO_WORLD);
});
afterAll(() => records.close());

interface Operation {
  readonly summary: string;
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly example?: unknown }[];
  readonly requestBody?: { readonly content: Record<string, { readonly example?: unknown }> };
}

let spare: RecordsApi | undefined;
afterEach(() => spare?.close());

test('the document has every operation, and each example is answered as it stands', async () => {
  // The suite uses its own store, because some examples delete records.
  const own = (spare = await openRecords());
  await own.fill(DEMO_WORLD);
  const { body } = await own.get('/api/openapi.json');
  expect([body.openapi, body.info.title]).toEqual(['3.1.0', 'holdfast records']);
  const operations = Object.entries(body.paths as Record<string, Record<string, Operation>>).flatMap(
    ([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ path, method, ...operation })),
  );
  expect(operations.length).toBeGreaterThanOrEqual(24);
  // Examples that delete come last, and facilities last of all.
  for (const last of [false, true]) {
    for (const { path, method, parameters, requestBody } of last ? operations.reverse() : operations) {
      // Imports need a worker, so another suite tests them.
      if ((method === 'delete') !== last || path.startsWith('/api/imports')) continue;
      const filled = parameters
        .filter((parameter) => parameter.in === 'path')
        .reduce((text, { name, example }) => text.replace(`{${name}}`, String(example)), path);
      const example = requestBody?.content['application/json']?.example;
      if (requestBody !== undefined) expect(example).toBeDefined();
      const answer = await own.send(
        method.toUpperCase(),
        // The API may delete the records that refer to it as well.
        last ? `${filled}?cascade=true` : filled,
        example,
      );
      expect(`${method} ${filled}: ${answer.status} ${answer.status > 201 ? answer.text : ''}`).toMatch(
        /: 20[01] $/,
      );
    }
  }
});

describeWithBrowser('in a browser', () => {
  let browser: Browser;
  let page: Page;
  const elsewhere: string[] = [];
  const problems: string[] = [];

  beforeAll(async () => {
    browser = await openBrowser();
    page = await browser.newPage({ viewport: { width: 1_280, height: 1_600 } });
    page.on('request', (request) => {
      const { origin, protocol } = new URL(request.url());
      if (protocol.startsWith('http') && origin !== records.url) elsewhere.push(request.url());
    });
    page.on('pageerror', (error) => problems.push(String(error)));
    page.on('console', (message) => {
      if (message.type() === 'error') problems.push(message.text());
    });
    await page.goto(`${records.url}/api-docs`);
    await page.getByRole('heading', { name: /^holdfast records/ }).waitFor();
  });
  afterAll(() => browser.close());

  /** Opens an operation, sends its example and returns what the page shows of the answer. */
  async function tryOut(summary: string): Promise<{ status: string; body: string }> {
    const block = page.locator('.opblock', { hasText: summary }).first();
    await block.locator('.opblock-summary').click();
    await block.getByRole('button', { name: 'Try it out' }).click();
    await block.getByRole('button', { name: 'Execute' }).click();
    const response = block.locator('.live-responses-table .response').first();
    const status = await response.locator('.response-col_status').innerText();
    const body = await response.locator('.response-col_description pre').first().innerText();
    return { status: status.trim(), body };
  }

  test('the root leads to the documentation', async () => {
    await page.goto(records.url);
    await page.getByRole('link', { name: '/api-docs' }).click();
    await page.getByRole('heading', { name: /^holdfast records/ }).waitFor();
  });

  test('a list, a record and a trace are shown with a 200', async () => {
    expect(await tryOut('Shipments, page by page')).toMatchObject({
      status: '200',
      body: expect.stringContaining('"total": 14'),
    });
    expect(await tryOut('One shipment')).toMatchObject({
      status: '200',
      body: expect.stringContaining('"reference": "LYON-0414"'),
    });
    expect(await tryOut('Goods that a contaminant may have affected')).toMatchObject({
      status: '200',
      body: expect.stringContaining('kitchen-lyon'),
    });
  });

  test('a record is created and replaced', async () => {
    expect(await tryOut('Create a shipment')).toMatchObject({ status: '201' });
    expect(await tryOut('Replace all fields of a facility')).toMatchObject({
      status: '200',
      body: expect.stringContaining('"version": 2'),
    });
  });

  test('no other page shows it in a frame, and a script that it did not come with does not run', async () => {
    const { headers } = await records.get('/api-docs');
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy.split('; ')).toEqual(
      expect.arrayContaining(["script-src 'self'", "frame-ancestors 'none'"]),
    );
    const other = await browser.newPage();
    await other.goto(`${records.url}/api-docs`);
    const ran = await other.evaluate(`(() => {
      const script = document.createElement('script');
      script.textContent = 'window.injected = true';
      document.body.append(script);
      return 'injected' in window;
    })()`);
    expect(ran).toBe(false);
    await other.close();
  });

  test('nothing is fetched from elsewhere, and nothing goes wrong in the page', () => {
    expect(elsewhere).toEqual([]);
    expect(problems).toEqual([]);
  });
});
