import { readFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { Client, Connection } from '@temporalio/client';
import { openBrowser } from './browser';
import { noOpenRuns } from './leaks';
import { type Service, sharedTemporal, startService } from './service';
import { waitFor } from './wait';

const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

/** A text that would run if any part of the page took it for HTML. */
export const HOSTILE = `<img src=x onerror="globalThis.hacked=1">"'><script>globalThis.hacked=1</script>`;

export type Scheme = 'light' | 'dark';

export interface ConsoleOptions {
  readonly scheme?: Scheme;
  /** Absent: the service of the suite. */
  readonly url?: string;
  /** The width of the window, pixels. */
  readonly width?: number;
}

/** A service, a browser, and what went wrong in the pages that it has shown. */
export interface ConsoleStage {
  readonly service: Service;
  /** What went wrong since the last test: each must be empty at the end of a test. */
  readonly problems: string[];
  /** Opens the console at an address, and notes all that goes wrong in it. */
  open(hash: string, options?: ConsoleOptions): Promise<Page>;
}

type Settings = Readonly<Record<string, string>>;

/**
 * Starts a service and a browser for a suite, and lets each test fail in which a page has failed.
 * @param settings a function, if they need what has to be started first
 */
export function useConsole(settings: Settings | (() => Promise<Settings>)): ConsoleStage {
  let started: { readonly service: Service; readonly browser: Browser } | undefined;
  const problems: string[] = [];
  const stage = () => {
    if (started === undefined) throw new Error('the service of the console has not started');
    return started;
  };
  beforeAll(async () => {
    const [service, browser] = await Promise.all([
      startService(typeof settings === 'function' ? await settings() : settings),
      openBrowser(),
    ]);
    started = { service, browser };
  });
  afterAll(async () => {
    await started?.browser.close();
    // What a page has started may go on after it was closed.
    if (started !== undefined) await untilRunsEnd(started.service.taskQueue);
    await started?.service.stop();
  });
  afterEach(() => expect(problems.splice(0)).toEqual([]));
  return {
    get service() {
      return stage().service;
    },
    problems,
    async open(hash, { scheme = 'light', url = stage().service.url, width = 1280 } = {}) {
      const page = await stage().browser.newPage({ colorScheme: scheme, viewport: { width, height: 800 } });
      page.on('pageerror', ({ message }) => problems.push(message));
      page.on('console', (line) => line.type() === 'error' && problems.push(line.text()));
      page.on('response', (response) => response.status() >= 400 && problems.push(response.url()));
      page.on('request', (sent) => {
        if (!/^(data|blob):/.test(sent.url()) && !sent.url().startsWith(url)) problems.push(sent.url());
      });
      await page.goto(`${url}/console#/${hash}`);
      return page;
    },
  };
}

async function untilRunsEnd(taskQueue: string): Promise<void> {
  const connection = Connection.lazy({ address: sharedTemporal() });
  await noOpenRuns(new Client({ connection }), taskQueue).finally(() => connection.close());
}

/** Waits until the title of a page begins with a text. */
export function untilTitled(page: Page, title: string): Promise<true> {
  return waitFor(async () => ((await page.title()).startsWith(title) ? true : undefined), {
    what: `the title ${title}`,
  });
}

/** Looks for faults of accessibility in a page. Returns a line for each. */
export async function violationsOf(page: Page): Promise<string[]> {
  // The policy of the page refuses scripts of others, but not those of the browser itself.
  await page.evaluate(AXE);
  const { violations } = await page.evaluate<{ violations: { id: string; nodes: { html: string }[] }[] }>(
    'axe.run()',
  );
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' ')}`);
}

/** Returns by how many pixels a page is wider than its window: 0 unless it scrolls sideways. */
export function overflowOf(page: Page): Promise<number> {
  return page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth');
}

/** Starts a run without waiting for its end. Returns its trace id. */
export async function startRun({ post }: Pick<Service, 'post'>, path: string, body: object): Promise<string> {
  const { body: answer } = await post(path, body, { prefer: 'respond-async' });
  return String(answer.data.traceId);
}

/** Waits for the end of a run, and returns it as `/api/runs` shows it. */
export function runEnded({ get }: Pick<Service, 'get'>, traceId: string) {
  return waitFor(
    async () => {
      const { body } = await get(`/api/runs/${traceId}`);
      return body.data?.closedAt == null ? undefined : body.data;
    },
    { what: 'the run to end' },
  );
}

/** Waits until a run waits for a person, and returns the id of its approval. */
export function openApproval({ get }: Pick<Service, 'get'>, runId: string): Promise<string> {
  return waitFor(
    async () => {
      const { body } = await get(`/api/approvals?runId=${runId}`);
      return body.data.approvals[0]?.id as string | undefined;
    },
    { what: 'the run to wait' },
  );
}
