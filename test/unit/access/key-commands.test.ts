import { runKeyCommand } from '../../../src/access/key-commands';
import { createKeyStore, type KeyStore } from '../../../src/access/key-store';
import type { IssuedKey, ListedKey } from '../../../src/contracts/http/access';
import { testStores } from '../tools/registry-fixtures';

let stores: ReturnType<typeof testStores>;
let keys: KeyStore;
beforeEach(() => {
  stores = testStores();
  keys = createKeyStore({ documents: stores.connect(), now: () => Date.parse('2026-11-24T12:00:00Z') });
});
afterEach(() => stores.dispose());

const run = (line: string): Promise<string> => runKeyCommand(keys, line.split(' ').filter(Boolean));
const create = async (line = ''): Promise<IssuedKey> =>
  JSON.parse(await run(`create --name reports --scopes run,read --json ${line}`)) as IssuedKey;

test('create prints the key, with --json everything in one line', async () => {
  expect(await run('create --name reports --scopes read')).toMatch(/^hfast_[0-9a-f]{16}_[\w-]{43}$/);
  const issued = await create('--expires 2027-01-01');
  expect(issued).toEqual({
    id: expect.stringMatching(/^[0-9a-f]{16}$/),
    name: 'reports',
    scopes: ['read', 'run'],
    tenant: 'default',
    createdAt: '2026-11-24T12:00:00.000Z',
    expiresAt: '2027-01-01T00:00:00.000Z',
    key: expect.stringContaining(`hfast_`),
  });
});

test('a key has the tenant and the user that are named', async () => {
  const { id, tenant, userId } = await create('--tenant acme --user ann');
  expect([tenant, userId]).toEqual(['acme', 'ann']);
  expect(await run('list')).toBe(`${id}  reports  read,run  tenant acme  user ann  for ever`);
});

test('list shows every key without its secret', async () => {
  expect(await run('list')).toBe('There is no key.');
  const { id } = await create();
  const { id: other } = await create('--expires 2027-01-01T10:00:00+02:00');
  expect((await run('list')).split('\n').sort()).toEqual(
    [
      `${id}  reports  read,run  tenant default  for ever`,
      `${other}  reports  read,run  tenant default  until 2027-01-01T08:00:00.000Z`,
    ].sort(),
  );
  const listed = JSON.parse(await run('list --json')) as ListedKey[];
  expect(listed.map((key) => key.id).sort()).toEqual([id, other].sort());
  expect(JSON.stringify(listed)).not.toContain('hfast_');
});

test('list writes control characters of names as text, which a terminal cannot obey', async () => {
  const { id } = await keys.create({ name: 'a\u001b[2Jb\nc\u009bd', scopes: ['read'], tenant: 'acme' });
  expect(await run('list')).toBe(`${id}  a\\u001b[2Jb\\u000ac\\u009bd  read  tenant acme  for ever`);
});

test('rotate prints another key under the same id, and revoke removes it', async () => {
  const { id, key } = await create();
  const rotated = await run(`rotate ${id}`);
  expect(rotated).toContain(id);
  expect(await keys.verify(key)).toBeUndefined();
  expect(await keys.verify(rotated)).toBeDefined();
  expect(await run(`revoke ${id}`)).toBe(`The key ${id} is revoked.`);
  expect(await keys.verify(rotated)).toBeUndefined();
});

test.each([
  ['', 'CONFIGURATION', 'The commands are'],
  ['remove', 'CONFIGURATION', 'The commands are'],
  ['list 0123456789abcdef', 'CONFIGURATION', 'The commands are'],
  ['rotate', 'CONFIGURATION', 'The commands are'],
  ['revoke 0123456789abcdef more', 'CONFIGURATION', 'The commands are'],
  ['list --all', 'CONFIGURATION', '--all'],
  ['create --name a', 'VALIDATION', 'scopes'],
  ['create --scopes read', 'VALIDATION', 'name'],
  ['create --name a --scopes read,write', 'VALIDATION', 'scopes.1'],
  ['create --name a --scopes read --expires tomorrow', 'VALIDATION', 'expiresAt'],
  ['create --name a --scopes read --expires 2026-11-24', 'VALIDATION', 'future'],
  ['rotate abc', 'VALIDATION', '16 hexadecimal digits'],
  ['revoke 0123456789abcdef', 'KEY_NOT_FOUND', '0123456789abcdef'],
])('"%s" is refused', async (line, code, message) => {
  await expect(run(line)).rejects.toMatchObject({ code, message: expect.stringContaining(message) });
  expect(await keys.list()).toEqual([]);
});
