import type { Browser } from 'playwright-core';
import { describeWithBrowser, openBrowser } from '../support/browser';
import { runEnded, startRun } from '../support/console';
import { LEXICAL } from '../support/memories';
import { type Api, openStage, type Stage } from '../support/stage';

describeWithBrowser('a run that is open in the console', () => {
  let stage: Stage;
  let api: Api;
  let browser: Browser;
  beforeAll(async () => {
    [stage, browser] = await Promise.all([openStage(), openBrowser()]);
    api = await stage.api(LEXICAL);
  });
  afterAll(async () => {
    await browser.close();
    await stage.close();
  });

  test('is shown to its end, also if its worker is killed and another one makes its step again', async () => {
    const worker = await stage.worker(LEXICAL);
    const config = { url: `${stage.peer.url}/held/step` };
    const workflow = { name: 'Fetch', steps: [{ id: 'fetch', type: 'api_call', config }] };
    const traceId = await startRun(api, '/api/workflow/execute-custom', { workflow, inputs: {} });
    await stage.peer.arrived('/held/step', 1);
    const page = await browser.newPage();
    const errors: string[] = [];
    page.on('pageerror', ({ message }) => errors.push(message));
    page.on('response', (response) => response.status() >= 400 && errors.push(response.url()));
    await page.goto(`${api.url}/console#/runs?run=${traceId}&step=fetch`);
    const run = page.getByRole('region', { name: 'Run', exact: true });
    await run.getByText('running').first().waitFor();
    await worker.kill();
    await stage.worker(LEXICAL);
    await stage.peer.arrived('/held/step', 2);
    stage.peer.release('/held/step');
    await runEnded(api, traceId);
    await run.locator('.head').getByText('completed').waitFor();
    await run.getByText('2 attempts').waitFor();
    expect(errors).toEqual([]);
    await page.close();
  });
});
