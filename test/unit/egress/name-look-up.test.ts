import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  createServerLookup,
  findLocally,
  parseHosts,
  candidatesOf,
  parseResolvConf,
} from '../../../src/egress/server-resolver';
import { type NameRecord, type NameServer, startNameServer } from '../../support/name-server';
import { makeTempDir } from '../../support/temp-dir';
import { rejection, useCleanup } from './cleanup';

const release = useCleanup();
const NEVER = new AbortController().signal;

interface Machine {
  readonly hosts?: string;
  readonly resolvConf?: string;
}

async function machine(names: Record<string, NameRecord>, { hosts = '', resolvConf = '' }: Machine = {}) {
  const server: NameServer = await startNameServer((name) => names[name]);
  release(() => server.close());
  const dir = makeTempDir();
  release(() => Promise.resolve(dir.remove()));
  const write = (file: string, text: string): void => writeFileSync(join(dir.path, file), text);
  write('hosts', hosts);
  write('resolv.conf', resolvConf);
  const find = createServerLookup({
    servers: [server.address],
    hostsPath: join(dir.path, 'hosts'),
    resolvConfPath: join(dir.path, 'resolv.conf'),
  });
  const lookUp = async (name: string): Promise<string[]> =>
    (await find(name, NEVER)).map(({ address }) => address);
  return { find, lookUp, asked: server.asked, write };
}

describe('name servers', () => {
  test.each<[string, Record<string, NameRecord>, string[]]>([
    [
      'both families',
      { 'x.test': { a: ['192.0.2.1'], aaaa: ['2001:db8:0:0:0:0:0:1'] } },
      ['192.0.2.1', '2001:db8::1'],
    ],
    ['several addresses', { 'x.test': { a: ['192.0.2.1', '192.0.2.2'] } }, ['192.0.2.1', '192.0.2.2']],
    ['IPv6 alone', { 'x.test': { aaaa: ['2001:db8:0:0:0:0:0:1'] } }, ['2001:db8::1']],
    ['another name', { 'x.test': { cname: 'y.test' }, 'y.test': { a: ['192.0.2.3'] } }, ['192.0.2.3']],
  ])('%s', async (_, names, addresses) => {
    expect(await (await machine(names)).lookUp('x.test')).toEqual(addresses);
  });

  test('an answer that is too long for UDP is read by TCP', async () => {
    const a = Array.from({ length: 60 }, (_, index) => `192.0.2.${index}`);
    const { lookUp, asked } = await machine({ 'x.test': { a, truncated: true } });
    expect((await lookUp('x.test')).sort()).toEqual([...a].sort());
    expect(asked).toContain('x.test A by TCP');
  });

  test.each<[string, NameRecord, string]>([
    ['a name that does not exist', { error: 3 }, 'ENOTFOUND'],
    ['a name without addresses', {}, 'ENOTFOUND'],
    ['a server that fails', { error: 2 }, 'EAI_AGAIN'],
    ['a server that refuses', { error: 5 }, 'EAI_AGAIN'],
  ])('%s is an error as of the system', async (_, record, code) => {
    const { lookUp } = await machine({ 'x.test': record });
    expect(await rejection(lookUp('x.test'))).toMatchObject({ code, hostname: 'x.test' });
  });

  test('a server that cannot be reached is a failure that may pass', async () => {
    const find = createServerLookup({
      servers: ['127.0.0.1:1'],
      hostsPath: '/none',
      resolvConfPath: '/none',
    });
    expect(await rejection(find('x.test', NEVER))).toMatchObject({ code: 'EAI_AGAIN' });
  });

  test.each(['a..test', `${'x'.repeat(64)}.test`, `${'x.'.repeat(130)}test`])(
    '%s does not exist',
    async (name) => {
      expect(await rejection((await machine({})).lookUp(name))).toMatchObject({ code: 'ENOTFOUND' });
    },
  );

  test('addresses are themselves', async () => {
    const { lookUp, asked } = await machine({});
    expect([await lookUp('192.0.2.7'), await lookUp('::1')]).toEqual([['192.0.2.7'], ['::1']]);
    expect(asked).toEqual([]);
  });

  test('an aborted look-up rejects with the reason and asks no further', async () => {
    const { find, asked } = await machine(
      { 'x.test': { silent: true } },
      { resolvConf: 'search a.test b.test' },
    );
    const controller = new AbortController();
    const reason = new Error('the call has ended');
    const outcome = rejection(find('x.test', controller.signal));
    setImmediate(() => controller.abort(reason));
    expect(await outcome).toBe(reason);
    expect(asked.every((question) => question.startsWith('x.test '))).toBe(true);
  });
});

describe('the hosts file and localhost', () => {
  const hosts =
    '# names\n127.0.0.1 localhost\n192.0.2.9\tHost.docker.internal alias # one\n::7 alias\nnonsense line\n';

  test.each([
    ['host.docker.internal', ['192.0.2.9']],
    ['ALIAS.', ['192.0.2.9', '::7']],
    ['localhost', ['127.0.0.1']],
    ['app.localhost', ['127.0.0.1', '::1']],
    ['notlocalhost', undefined],
    ['line', undefined],
    ['constructor', undefined],
  ])('%s', (name, addresses) => {
    expect(findLocally(name, parseHosts(hosts))?.map(({ address }) => address)).toEqual(addresses);
  });

  test('come before the name servers, and are read again when the file changes', async () => {
    const { lookUp, asked, write } = await machine(
      { 'x.test': { a: ['192.0.2.1'] } },
      { hosts: '192.0.2.9 x.test' },
    );
    expect(await lookUp('x.test')).toEqual(['192.0.2.9']);
    expect(await lookUp('localhost')).toEqual(['127.0.0.1', '::1']);
    expect(asked).toEqual([]);
    write('hosts', '192.0.2.99 x.test');
    expect(await lookUp('x.test')).toEqual(['192.0.2.99']);
    write('hosts', '');
    expect(await lookUp('x.test')).toEqual(['192.0.2.1']);
  });
});

describe('search domains', () => {
  const KUBERNETES =
    'search apps.svc.cluster.local svc.cluster.local cluster.local\noptions ndots:5\nnameserver 192.0.2.53\n';

  test.each([
    ['', [], 1],
    ['search a.test b.test', ['a.test', 'b.test'], 1],
    ['domain a.test\nsearch b.test', ['b.test'], 1],
    ['search b.test\ndomain a.test # one', ['a.test'], 1],
    ['options timeout:1 ndots:99 rotate\nsearch .', [], 15],
    ['; search a.test\n  search .a.test.\noptions ndots:0', ['a.test'], 0],
    [KUBERNETES, ['apps.svc.cluster.local', 'svc.cluster.local', 'cluster.local'], 5],
  ])('%j', (text, domains, ndots) => {
    expect(parseResolvConf(text)).toEqual({ domains, ndots });
  });

  test.each([
    ['db', 1, ['db.a', 'db.b', 'db']],
    ['db', 0, ['db', 'db.a', 'db.b']],
    ['db.x', 1, ['db.x', 'db.x.a', 'db.x.b']],
    ['db.x', 5, ['db.x.a', 'db.x.b', 'db.x']],
    ['db.', 5, ['db']],
  ])('%s with ndots:%d', (name, ndots, names) => {
    expect(candidatesOf(name, { domains: ['a', 'b'], ndots })).toEqual(names);
  });

  test.each([
    ['web', ['192.0.2.1']],
    ['db.data', ['192.0.2.2']],
    ['db.data.svc', ['192.0.2.2']],
    ['db.data.svc.cluster.local', ['192.0.2.2']],
    ['example.com', ['192.0.2.3']],
  ])('a service of Kubernetes is found as %s', async (name, addresses) => {
    const names = {
      'web.apps.svc.cluster.local': { a: ['192.0.2.1'] },
      'db.data.svc.cluster.local': { a: ['192.0.2.2'] },
      'example.com': { a: ['192.0.2.3'] },
    };
    expect(await (await machine(names, { resolvConf: KUBERNETES })).lookUp(name)).toEqual(addresses);
  });

  test('a domain whose server fails hides no name of another one', async () => {
    const names = {
      'x.broken.test': { error: 2 },
      'x.good.test': { a: ['192.0.2.1'] },
      'y.broken.test': { error: 2 },
    };
    const { lookUp } = await machine(names, { resolvConf: 'search broken.test good.test' });
    expect(await lookUp('x')).toEqual(['192.0.2.1']);
    expect(await rejection(lookUp('y'))).toMatchObject({ code: 'EAI_AGAIN' });
  });

  test('the rules are read again when the file changes', async () => {
    const { lookUp, write } = await machine({ 'x.a.test': { a: ['192.0.2.1'] } });
    expect(await rejection(lookUp('x'))).toMatchObject({ code: 'ENOTFOUND' });
    write('resolv.conf', 'search a.test\n');
    expect(await lookUp('x')).toEqual(['192.0.2.1']);
  });
});
