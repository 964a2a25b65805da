import { createBoundedResolver } from '../../../src/egress/bounded-resolver';
import { createEgress } from '../../../src/egress/create-egress';
import { createServerLookup } from '../../../src/egress/server-resolver';
import type { ResolvedAddress, Resolver } from '../../../src/egress/resolver';
import { type NameServer, startNameServer } from '../../support/name-server';
import { waitFor } from '../../support/wait';
import { rejection, useCleanup } from './cleanup';
import { startStub, type StubServer } from './stub-server';
import { callerResolver } from '../../../src/egress/dispatcher';

const release = useCleanup();

const owner = (tenant: string, user?: string) => ({ tenant, user });
const keyOf = ({ tenant }: { readonly tenant: string }): string => tenant;

/** A look-up that the test answers. */
interface Asked {
  readonly name: string;
  readonly signal: AbortSignal;
  answer(): void;
}

function openBounded(maxAtOnce: number, limitMs = 60_000) {
  const asked: Asked[] = [];
  const find = (name: string, signal: AbortSignal): Promise<readonly ResolvedAddress[]> =>
    new Promise((resolve, reject) => {
      asked.push({ name, signal, answer: () => resolve([{ address: '192.0.2.1', family: 4 }]) });
      signal.addEventListener('abort', () => reject(signal.reason as Error));
    });
  const resolver = createBoundedResolver({ find, maxAtOnce, keyOf, limitMs });
  return { resolver, asked, names: () => asked.map(({ name }) => name) };
}

describe('a bounded resolver', () => {
  test('has a number of look-ups of each caller at once, and starts the next in order', async () => {
    const { resolver, asked, names } = openBounded(2);
    const found = ['a', 'b', 'c', 'd'].map((name) => resolver(name, { owner: owner('one') }));
    const other = resolver('e', { owner: owner('two') });
    await waitFor(() => asked.length === 3, { what: 'the look-ups that may start' });
    expect(names().sort()).toEqual(['a', 'b', 'e']);
    asked.find(({ name }) => name === 'b')!.answer();
    await waitFor(() => asked.length === 4, { what: 'the next look-up' });
    expect(names()[3]).toBe('c');
    for (const one of asked) one.answer();
    await waitFor(() => asked.length === 5, { what: 'the last look-up' });
    asked[4]!.answer();
    expect(await Promise.all([...found, other])).toHaveLength(5);
  });

  test('asks once for calls of one caller that need one name at once, and again for the next call', async () => {
    const { resolver, asked } = openBounded(2);
    const found = Promise.all([1, 2, 3].map(() => resolver('a', { owner: owner('one') })));
    const other = resolver('a', { owner: owner('two') });
    await waitFor(() => asked.length === 2, { what: 'a look-up for each caller' });
    for (const one of asked) one.answer();
    expect(await found).toHaveLength(3);
    await other;
    const again = resolver('a', { owner: owner('one') });
    await waitFor(() => asked.length === 3, { what: 'another look-up' });
    asked[2]!.answer();
    await again;
  });

  test('ends a look-up with the last call that waits for it, and gives its place to the next', async () => {
    const { resolver, asked } = openBounded(1);
    const [first, second] = [new AbortController(), new AbortController()];
    const calls = [first, second].map(({ signal }) =>
      rejection(resolver('slow', { owner: owner('one'), signal })),
    );
    const next = resolver('quick', { owner: owner('one') });
    await waitFor(() => asked.length === 1, { what: 'the look-up' });
    first.abort(new Error('first'));
    expect((await calls[0]!).message).toBe('first');
    expect(asked[0]!.signal.aborted).toBe(false);
    second.abort(new Error('second'));
    expect((await calls[1]!).message).toBe('second');
    expect(asked[0]!.signal.aborted).toBe(true);
    await waitFor(() => asked.length === 2, { what: 'the next look-up' });
    asked[1]!.answer();
    await next;
  });

  test('never starts the look-up of a call that ended while it waited', async () => {
    const { resolver, asked, names } = openBounded(1);
    const first = resolver('a', { owner: owner('one') });
    const controller = new AbortController();
    const waiting = rejection(resolver('b', { owner: owner('one'), signal: controller.signal }));
    const last = resolver('c', { owner: owner('one') });
    controller.abort(new Error('ended'));
    expect((await waiting).message).toBe('ended');
    await waitFor(() => asked.length === 1, { what: 'the first look-up' });
    asked[0]!.answer();
    await first;
    await waitFor(() => asked.length === 2, { what: 'the last look-up' });
    asked[1]!.answer();
    await last;
    expect(names()).toEqual(['a', 'c']);
  });

  test('ends a look-up that takes too long with a failure that may pass', async () => {
    const { resolver, asked } = openBounded(1, 20);
    expect(await rejection(resolver('slow', { owner: owner('one') }))).toMatchObject({ code: 'EAI_AGAIN' });
    expect(asked[0]!.signal.aborted).toBe(true);
  });

  test('keeps the place of a look-up that cannot be ended until it has ended', async () => {
    const asked: string[] = [];
    const ends: (() => void)[] = [];
    const find = (name: string): Promise<readonly ResolvedAddress[]> =>
      new Promise((resolve) => {
        asked.push(name);
        ends.push(() => resolve([]));
      });
    const resolver = createBoundedResolver({ find, maxAtOnce: 1, keyOf, limitMs: 60_000 });
    const controller = new AbortController();
    const first = rejection(resolver('slow', { owner: owner('one'), signal: controller.signal }));
    await waitFor(() => asked.length === 1, { what: 'the look-up' });
    controller.abort(new Error('ended'));
    await first;
    const second = resolver('next', { owner: owner('one') });
    const other = resolver('other', { owner: owner('two') });
    await waitFor(() => asked.length === 2, { what: 'the look-up of the other caller' });
    expect(asked).toEqual(['slow', 'other']);
    ends[0]!();
    await waitFor(() => asked.length === 3, { what: 'the next look-up' });
    for (const end of ends) end();
    await Promise.all([second, other]);
  });
});

describe('names that no server answers for', () => {
  /** Says nothing of slow names, and answers at once for all others. */
  async function open(): Promise<{ names: NameServer; peer: StubServer; resolver: Resolver }> {
    const names = await startNameServer((name) =>
      name.startsWith('slow') ? { silent: true } : { a: ['127.0.0.1'] },
    );
    release(() => names.close());
    const peer = await startStub((_, response) => response.end('here'));
    release(() => peer.close());
    const find = createServerLookup({
      servers: [names.address],
      hostsPath: '/none',
      resolvConfPath: '/none',
    });
    const resolver = createBoundedResolver({ find, maxAtOnce: 64, keyOf, limitMs: 60_000 });
    return { names, peer, resolver };
  }

  test('hold up no other request, of another caller or the same one', async () => {
    const { names, peer, resolver } = await open();
    const egress = createEgress({ allowPrivate: true, maxBodyBytes: 10_000, resolve: resolver });
    release(() => egress.close());
    const ended = new AbortController();
    const request = (tenant: string, host: string, signal: AbortSignal) =>
      egress.request({
        owner: owner(tenant),
        url: `http://${host}:${peer.port}/`,
        method: 'GET',
        allowPrivate: true,
        signal,
      });
    let done = 0;
    const slow = Array.from({ length: 50 }, async (_, index) => {
      const outcome = await rejection(request('greedy', `slow${index}.test`, ended.signal));
      done += 1;
      return outcome;
    });
    await waitFor(() => names.asked.length >= 100, { what: 'all slow names to be asked for' });
    const patient = new AbortController().signal;
    for (const tenant of ['honest', 'greedy']) {
      expect((await request(tenant, `${tenant}.test`, patient)).text()).toBe('here');
    }
    expect(done).toBe(0);
    const reason = new Error('the calls have ended');
    ended.abort(reason);
    expect(new Set(await Promise.all(slow))).toEqual(new Set([reason]));
    expect((await request('greedy', 'again.test', patient)).text()).toBe('here');
  });

  test('are a failure that may pass, and addresses of names are checked as ever', async () => {
    const names = await startNameServer((name) => ({
      a: [name.startsWith('inner') ? '169.254.169.254' : '127.0.0.1'],
      ...(name.startsWith('broken') ? { a: [], error: 2 } : {}),
    }));
    release(() => names.close());
    const find = createServerLookup({
      servers: [names.address],
      hostsPath: '/none',
      resolvConfPath: '/none',
    });
    const resolve = createBoundedResolver({ find, maxAtOnce: 64, keyOf, limitMs: 60_000 });
    const egress = createEgress({ allowPrivate: true, maxBodyBytes: 10_000, resolve });
    release(() => egress.close());
    const request = (host: string) =>
      rejection(
        egress.request({
          owner: owner('one'),
          url: `http://${host}/`,
          method: 'GET',
          allowPrivate: true,
          signal: new AbortController().signal,
        }),
      );
    expect(await request('broken.test')).toMatchObject({ code: 'TOOL_EXECUTION_FAILED', retryable: true });
    expect((await request('inner.test')).message).toMatch(/inner\.test resolves to a cloud metadata address/);
  });
});

test.each(['servers', 'system'] as const)('%s knows localhost', async (source) => {
  const found = await callerResolver(source)('localhost', { owner: owner('default') });
  expect(found.map(({ address }) => address)).toContain('127.0.0.1');
});
