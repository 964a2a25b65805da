import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { initializeAgent } from '../support/agent';
import { describeWithBrowser } from '../support/browser';
import {
  HOSTILE,
  openApproval,
  overflowOf,
  type Scheme,
  startRun,
  useConsole,
  violationsOf,
} from '../support/console';
import { type Key, runKeys } from '../support/keys';
import { know, LEXICAL, newUser, remember } from '../support/memories';
import { type ModelServer, says, startModelServer } from '../support/model-server';
import { pauses } from '../support/model-servers/pausing';
import { hostedBy } from '../support/model-service';
import { startService } from '../support/service';
import { waitFor } from '../support/wait';

const SPOKEN = { timestamp: '2024-03-01T10:00:00Z' };
const MOVED = { timestamp: '2025-03-01T10:00:00Z' };

describeWithBrowser('the panes of chat and memory', () => {
  let model: ModelServer;
  const stage = useConsole(async () => {
    model = await startModelServer();
    // The rules answer, but for an agent that names the model.
    return { ...LEXICAL, ...hostedBy(model), LLM_PROVIDER: 'builtin' };
  });
  const { open } = stage;
  afterAll(() => model.close());

  const hashOf = (pane: string, params: Record<string, string>): string =>
    `${pane}?${new URLSearchParams(params).toString()}`;
  const right = (page: Page, name = 'Detail') => page.getByRole('region', { name, exact: true });
  const paramOf = (page: Page, name: string): string | undefined =>
    new URLSearchParams(new URL(page.url()).hash.split('?')[1]).get(name) ?? undefined;

  async function send(page: Page, text: string): Promise<void> {
    await page.getByLabel('Message').fill(text);
    await page.keyboard.press('Enter');
  }

  /** Two facts in their order, a concept, and a turn that the rules have answered. */
  async function userWithAll(user: string, session = 'letters'): Promise<string> {
    const { service } = stage;
    await initializeAgent(service);
    await remember(service, user, 'I live in Leeds.', { sessionId: session, ...SPOKEN });
    await remember(service, user, 'I live in York.', { sessionId: session, ...MOVED });
    await know(service, user, 'oak', 'a hard wood');
    const options = { userId: user, sessionId: session };
    const { status, body } = await service.post('/api/agent/execute', { query: 'Where do I live?', options });
    expect(status).toBe(200);
    const { runs } = (await service.get(`/api/runs?${new URLSearchParams(options).toString()}`)).body.data;
    expect(body.data.response).toContain('York');
    return runs[0].traceId as string;
  }

  test('an agent that is not initialized is, by a click, and answers by rules', async () => {
    const page = await open(hashOf('chat', { user: newUser(), session: 'first' }));
    await page.getByText('The agent of this service is not initialized.').waitFor();
    await page.getByRole('button', { name: 'Initialize the agent' }).click();
    await send(page, 'What is 15 times 7?');
    await page.getByRole('log').getByText('15 × 7 = 105.').waitFor();
    await page.getByRole('link', { name: /tool execution · 0 memories · 1 tool/ }).waitFor();
    await page.close();
  });

  test('an answer is shown while it is said, and a click opens what the turn did', async () => {
    const { service } = stage;
    await initializeAgent(service);
    const agent = { name: 'Poet', description: 'Says poems', instructions: 'Say poems.', model: 'hosted' };
    expect((await service.send('PUT', '/api/agents/poet', { ...agent, tools: [] })).status).toBe(200);
    const { behaviour, release } = pauses('Once upon a time, ', HOSTILE);
    model.otherwise((request, response) =>
      (request.body.stream === true ? behaviour : says('{}'))(request, response),
    );
    const page = await open(hashOf('chat', { user: newUser(), session: 'poems' }));
    await page.getByLabel('agent', { exact: true }).selectOption('poet');
    expect(page.url()).toContain('agent=poet');
    await send(page, `Tell me a story ${HOSTILE}`);
    // The model says the rest only after its beginning is seen.
    await page.getByRole('log').getByText('Once upon a time,').waitFor();
    await page.getByRole('article').getByText('running').waitFor();
    release();
    // The model has not classified the message, so that the rules did.
    const line = page.getByRole('link', {
      name: /poet · tool execution · 0 memories · 0 tools · \d+ tokens .* degraded/,
    });
    await line.waitFor();
    await page.getByRole('log').getByText(`Once upon a time, ${HOSTILE}`).waitFor();
    await page.reload();
    await line.focus();
    await page.keyboard.press('Enter');
    await right(page, 'Turn').getByRole('heading', { name: 'Tell me a story' }).waitFor();
    expect(await page.evaluate('globalThis.hacked')).toBeUndefined();
    await right(page, 'Turn').getByRole('link', { name: 'The run of this turn' }).click();
    await right(page, 'Run').getByText('completed').first().waitFor();
    await page.close();
  });

  test('a tool that waits is approved in the conversation, with other arguments', async () => {
    await initializeAgent(stage.service);
    const page = await open(hashOf('chat', { user: newUser(), session: 'sums', approval: 'all' }));
    await send(page, 'What is 15 times 7?');
    const card = page.getByRole('region', { name: 'Approval of calculator' });
    await card.getByLabel('Arguments').fill('{"operation":"multiply","a":15,"b":8}');
    await card.getByRole('button', { name: 'Approve with these changes' }).click();
    await page.getByRole('log').getByText('120').waitFor();
    expect(await card.count()).toBe(0);
    await page.close();
  });

  test('earlier messages are those of memory, where runs are not kept any more', async () => {
    const user = newUser();
    const { service } = stage;
    await initializeAgent(service);
    const old = { sessionId: 'old', metadata: { tags: ['conversation'] } };
    const at = (second: number) => ({ timestamp: `2024-02-01T10:00:${second}Z` });
    for (let second = 10; second < 22; second += 1)
      await remember(service, user, `Number ${second}.`, { ...old, ...at(second) });
    await remember(service, user, `Good morning ${HOSTILE}`, { ...old, ...SPOKEN });
    const page = await open(hashOf('chat', { user, session: 'old' }));
    await page.getByRole('log').getByText(`Good morning ${HOSTILE}`).waitFor();
    const bubbles = page.locator('.bubble.user');
    expect(await bubbles.count()).toBe(10);
    await page.getByRole('button', { name: 'Earlier messages, from memory' }).click();
    await bubbles.nth(12).waitFor();
    await send(page, 'Hello');
    await page.getByRole('link', { name: /conversation/ }).waitFor();
    expect((await bubbles.allTextContents()).slice(0, 2)).toEqual(['user: Number 10.', 'user: Number 11.']);
    expect((await bubbles.allTextContents()).slice(12)).toEqual([
      `user: Good morning ${HOSTILE}`,
      'user: Hello',
    ]);
    await page.close();
  });

  test('facts are shown as of a time, corrected and retracted', async () => {
    const user = newUser();
    await userWithAll(user);
    const page = await open(hashOf('memory', { user }));
    const facts = page.getByRole('table', { name: 'Facts' });
    const listed = () => facts.locator('a.row').allTextContents();
    const untilListed = (expected: readonly string[]) =>
      waitFor(async () => JSON.stringify(await listed()) === JSON.stringify(expected), {
        what: `the facts ${expected.join(', ')}`,
      });
    await untilListed(['home York']);
    await page.getByLabel('As of, UTC').fill('2024-06-01T00:00');
    await page.keyboard.press('Tab');
    await untilListed(['home Leeds']);
    expect(paramOf(page, 'asOf')).toBe('2024-06-01T00:00');
    await page.goBack();
    await page.getByLabel('also what held before').check();
    await untilListed(['home York', 'home Leeds']);
    await facts.getByText('2024-03-01 – 2025-03-01').waitFor();

    await page.keyboard.press('Escape');
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await right(page).getByRole('button', { name: 'Correct' }).click();
    await right(page).getByText('is required').waitFor();
    await right(page).getByLabel('value').fill(HOSTILE);
    await right(page).getByRole('button', { name: 'Correct' }).click();
    await right(page)
      .getByRole('heading', { name: `home: ${HOSTILE}` })
      .waitFor();
    await untilListed([`home ${HOSTILE}`, 'home York', 'home Leeds']);
    expect((await stage.service.get(`/api/memory/facts/${user}`)).body.data.facts[0].value).toBe(HOSTILE);
    await right(page).getByRole('button', { name: 'Retract' }).click();
    await right(page).getByRole('button', { name: 'Retract for good' }).click();
    await right(page).getByText('never held').waitFor();
    await page.getByLabel('also what held before').uncheck();
    await untilListed(['home Leeds']);
    expect(await page.evaluate('globalThis.hacked')).toBeUndefined();
    await page.close();
  });

  test('memories are added, found with the reason, imported and exported', async () => {
    const user = newUser();
    const page = await open('memory');
    await page.getByLabel('user', { exact: true }).fill(user);
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Add event' }).click();
    await right(page).getByLabel('sessionId').fill('letters');
    await right(page).getByLabel('content', { exact: true }).fill(`The shelves are of oak ${HOSTILE}`);
    await right(page).getByRole('button', { name: 'Add event' }).click();
    await right(page).getByRole('heading', { name: 'Event', exact: true }).waitFor();
    await page.getByRole('link', { name: 'Add concept' }).click();
    await right(page).getByLabel('concept', { exact: true }).fill(HOSTILE);
    await right(page).getByLabel('description').fill('a hard wood');
    await right(page).getByRole('button', { name: 'Add concept' }).click();
    await right(page).getByRole('heading', { name: 'Concept', exact: true }).waitFor();
    await page.getByText('events: 1 · concepts: 1').waitFor();

    await page.getByRole('link', { name: 'memories', exact: true }).click();
    await page.getByLabel('search', { exact: true }).fill('oak shelves');
    await page.keyboard.press('Enter');
    await page.getByText('100 % of the words · no. 1 by words').waitFor();

    await page.getByRole('link', { name: 'Import' }).click();
    const line = { role: 'user', content: 'I live in Bath.', sessionId: HOSTILE, ...SPOKEN };
    await right(page)
      .getByLabel('lines')
      .fill(`${JSON.stringify(line)}\nno JSON`);
    await right(page).getByRole('button', { name: 'Import' }).click();
    await right(page).getByText('completed', { exact: true }).waitFor();
    await page.getByText('events: 2 · concepts: 1').waitFor();
    await page.getByRole('link', { name: 'Import' }).click();
    const file = { name: 'm.ndjson', mimeType: 'application/x-ndjson' };
    const buffer = Buffer.from(JSON.stringify({ ...line, content: 'I work at Acme.' }));
    await right(page)
      .getByLabel('or a file')
      .setInputFiles({ ...file, buffer });
    await page.getByText('events: 3 · concepts: 1').waitFor();

    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export' }).click(),
    ]);
    const lines = (await readFile(await download.path(), 'utf8')).trim().split('\n');
    expect(JSON.parse(lines.at(-1) ?? '')).toEqual({ kind: 'end', episodic: 3, semantic: 1 });
    await page.getByRole('link', { name: 'sessions' }).click();
    await page.getByRole('link', { name: HOSTILE }).click();
    await page.getByText('I live in Bath.').waitFor();
    expect(paramOf(page, 'session')).toBe(HOSTILE);
    expect(await page.evaluate('globalThis.hacked')).toBeUndefined();
    await page.close();
  });

  test('a user is erased once the name is written, and the receipt is shown', async () => {
    const user = `${newUser()} ${HOSTILE}`;
    await userWithAll(user);
    const page = await open('memory');
    await page.getByRole('link', { name: user }).click();
    await page.getByRole('link', { name: 'Erase' }).click();
    await right(page).getByLabel('user').fill('somebody else');
    await right(page).getByRole('button', { name: 'Erase' }).click();
    await right(page).getByText('This is not the name of the user').waitFor();
    await right(page).getByLabel('user').fill(user);
    await right(page).getByRole('button', { name: 'Erase' }).click();
    await right(page).getByRole('heading', { name: 'Receipt of the erasure' }).waitFor();
    await right(page).getByText('isOfUser').waitFor();
    await page.getByText('events: 0 · concepts: 0').waitFor();
    const { users } = (await stage.service.get('/api/memory/users')).body.data;
    expect(users.map(({ userId }: { userId: string }) => userId)).not.toContain(user);
    expect(await page.evaluate('globalThis.hacked')).toBeUndefined();
    await page.close();
  });

  test('nothing is asked that a key without the scope admin may not', async () => {
    const locked = await startService({ ...LEXICAL, AUTH: 'keys' });
    try {
      const scopes = ['create', '--name', 'page', '--scopes', 'read,run,memory'];
      const { key } = await runKeys<Key>(locked.dataDir, ...scopes);
      const page = await open('memory', { url: locked.url });
      await page.getByLabel('Key or token').fill(key);
      await page.getByRole('button', { name: 'Use this key' }).click();
      await page.getByLabel('user', { exact: true }).fill('ann');
      await page.keyboard.press('Enter');
      await page.getByText('No fact holds at this time.').waitFor();
      await page.goto(`${locked.url}/console#/${hashOf('chat', { user: 'ann', session: 's' })}`);
      await page.getByText('The agent of this service is not initialized.').waitFor();
      expect(await page.getByRole('button', { name: 'Initialize the agent' }).count()).toBe(0);
      await page.close();
    } finally {
      await locked.stop();
    }
  });

  /** An address of each view, with the text that it shows at last. */
  async function views(user: string) {
    const { service } = stage;
    const turn = await userWithAll(user);
    const { facts } = (await service.get(`/api/memory/facts/${user}`)).body.data;
    const options = { userId: user, sessionId: 'waits', approval: { tools: 'all' } };
    const waiting = await startRun(service, '/api/agent/execute', { query: 'What is 3 times 4?', options });
    const approval = await openApproval(service, waiting);
    const shown: readonly (readonly [string, string])[] = [
      [hashOf('chat', { user, session: 'letters', turn }), 'The run of this turn'],
      [hashOf('chat', { user, session: 'waits' }), 'Approve'],
      ['memory', user],
      [hashOf('memory', { user, history: 'true', fact: facts[0].id }), 'Retract'],
      [hashOf('memory', { user, view: 'memories', q: 'York', form: 'import' }), 'or a file'],
      [hashOf('memory', { user, view: 'sessions', form: 'erase' }), 'The name of this user'],
    ];
    const deny = () => service.post(`/api/approvals/${approval}`, { decision: 'deny' });
    return { shown, deny };
  }

  test.each([
    ['light', 1280],
    ['dark', 320],
  ] as const)(
    'is clean by axe in %s, %i pixels wide, and does not scroll sideways',
    async (scheme, width) => {
      const { shown, deny } = await views(newUser());
      const found = [];
      for (const [hash, last] of shown) {
        const page = await open(hash, { scheme: scheme satisfies Scheme, width });
        await page.getByText(last).first().waitFor();
        found.push({ hash, violations: await violationsOf(page), overflow: await overflowOf(page) });
        await page.close();
      }
      expect(found).toEqual(shown.map(([hash]) => ({ hash, violations: [], overflow: 0 })));
      await deny();
    },
  );
});
