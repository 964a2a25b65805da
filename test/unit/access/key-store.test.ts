import { createKeyStore, type KeyStore, MAX_KEYS, MAX_KEYS_OF_TENANT } from '../../../src/access/key-store';
import type { DocumentStore } from '../../../src/stores/documents';
import { testStores } from '../tools/registry-fixtures';

const START = Date.parse('2026-11-24T12:00:00Z');

let stores: ReturnType<typeof testStores>;
let documents: DocumentStore;
let now: number;
let keys: KeyStore;
const connect = (): KeyStore => createKeyStore({ documents: stores.connect(), now: () => now });
const reader = { name: 'reports', scopes: ['read' as const] };

beforeEach(() => {
  stores = testStores();
  documents = stores.connect();
  now = START;
  keys = createKeyStore({ documents, now: () => now });
});
afterEach(() => stores.dispose());

test('a key that was created is accepted, with its scopes, by every process', async () => {
  const { id, key } = await keys.create({ name: 'worker', scopes: ['read', 'run'] });
  expect(key).toMatch(new RegExp(`^hfast_${id}_[\\w-]{43}$`));
  const caller = { id: `key/${id}`, keyId: id, scopes: new Set(['read', 'run']), tenant: 'default' };
  expect(await keys.verify(key)).toEqual(caller);
  expect(await connect().verify(key)).toEqual(caller);
});

test('neither the store nor the list has the secret', async () => {
  const { id, key } = await keys.create(reader);
  const secret = key.slice(-43);
  const stored = await documents.list('access-keys');
  expect(JSON.stringify(stored)).not.toContain(secret);
  expect(await keys.list()).toEqual([
    { id, ...reader, tenant: 'default', createdAt: '2026-11-24T12:00:00.000Z' },
  ]);
});

test.each([
  ['another secret', (key: string) => `${key.slice(0, -1)}${key.endsWith('A') ? 'B' : 'A'}`],
  ['another id', (key: string) => key.replace(/_[0-9a-f]{16}_/, '_0123456789abcdef_')],
  ['a shorter secret', (key: string) => key.slice(0, -1)],
  ['the hash of the secret', (key: string) => `${key.slice(0, -43)}${'0'.repeat(43)}`],
  ['something else', () => 'hfast_'],
])('a key with %s is refused', async (_, change) => {
  const { key } = await keys.create(reader);
  expect(await keys.verify(change(key))).toBeUndefined();
  expect(await keys.verify(key)).toBeDefined();
});

test('a key is refused from the moment at which it expires', async () => {
  const { key, expiresAt } = await keys.create({ ...reader, expiresAt: '2026-11-24T13:00:00+00:30' });
  expect(expiresAt).toBe('2026-11-24T12:30:00.000Z');
  now = Date.parse('2026-11-24T12:29:59.999Z');
  expect(await keys.verify(key)).toBeDefined();
  now += 1;
  expect(await keys.verify(key)).toBeUndefined();
  await expect(keys.create({ ...reader, expiresAt: '2026-11-24T12:30:00Z' })).rejects.toMatchObject({
    code: 'VALIDATION',
    details: { field: 'expiresAt' },
  });
});

describe.each(['revoke', 'rotate'] as const)('%s', (change) => {
  it('is known to the same process at once, and to another one within a second', async () => {
    const other = connect();
    const { id, key } = await keys.create(reader);
    expect(await other.verify(key)).toBeDefined();
    const changed = await keys[change](id);
    expect(await keys.verify(key)).toBeUndefined();
    now += 999;
    expect(await other.verify(key)).toBeUndefined();
    if (change === 'revoke') return;
    const { key: next } = changed as { key: string };
    expect(await keys.verify(next)).toMatchObject({ id: `key/${id}` });
    expect(await other.verify(next)).toMatchObject({ id: `key/${id}` });
  });

  it('refuses an id that no key has', async () => {
    await expect(keys[change]('0123456789abcdef')).rejects.toMatchObject({ code: 'KEY_NOT_FOUND' });
  });
});

test('a rotation keeps all but the secret, and says when it was', async () => {
  const created = await keys.create({ ...reader, expiresAt: '2027-01-01T00:00:00Z' });
  now += 5_000;
  const rotated = await keys.rotate(created.id);
  expect(rotated).toEqual({ ...created, key: rotated.key, rotatedAt: '2026-11-24T12:00:05.000Z' });
  expect(rotated.key).not.toBe(created.key);
});

test('a key that has expired gets no new secret, which would be refused', async () => {
  const { id } = await keys.create({ ...reader, expiresAt: '2026-11-24T13:00:00Z' });
  now = Date.parse('2026-11-24T13:00:00Z');
  await expect(keys.rotate(id)).rejects.toMatchObject({
    code: 'VALIDATION',
    message: 'the key has expired; create another one',
  });
});

test('one process reads a key at most twice a second, and unknown ones each time', async () => {
  const get = jest.spyOn(documents, 'get');
  const { key } = await keys.create(reader);
  for (let times = 0; times < 100; times += 1) await keys.verify(key);
  expect(get).toHaveBeenCalledTimes(1);
  now += 500;
  await keys.verify(key);
  expect(get).toHaveBeenCalledTimes(2);
  const unknown = key.replace(/_[0-9a-f]{16}_/, '_0123456789abcdef_');
  await keys.verify(unknown);
  await keys.verify(unknown);
  expect(get).toHaveBeenCalledTimes(4);
});

test('there are no more keys than one list has', async () => {
  const writes = Array.from({ length: MAX_KEYS }, (_, index) => ({
    type: 'put' as const,
    collection: 'access-keys',
    key: `key-${index}`,
    value: { ...reader, createdAt: '2026-01-01T00:00:00.000Z', hash: '' },
  }));
  await documents.write(writes);
  await expect(keys.create(reader)).rejects.toMatchObject({ code: 'VALIDATION' });
  expect(await keys.list()).toHaveLength(MAX_KEYS);
  // A tenant has a maximum of its own, so that none takes the room of others, and all keys are found beyond one page.
  const acme = { ...reader, tenant: 'acme', userId: 'ann' };
  for (let index = 0; index < MAX_KEYS_OF_TENANT; index += 1) await keys.create(acme);
  await expect(keys.create(acme)).rejects.toMatchObject({ code: 'VALIDATION' });
  await keys.create({ ...reader, tenant: 'globex' });
  expect(await keys.list()).toHaveLength(MAX_KEYS + MAX_KEYS_OF_TENANT + 1);
  await keys.revokeOfUser('acme', 'ann');
  expect(await keys.list('acme')).toEqual([]);
});

test('a store that is away refuses to say whose a key is', async () => {
  const { key } = await keys.create(reader);
  now += 1_000;
  await documents.close();
  await expect(keys.verify(key)).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
});

test('a key has its tenant and its user, and one of an earlier build is of the default tenant', async () => {
  const { id, key } = await keys.create({ ...reader, tenant: 'acme', userId: 'ann' });
  expect(await keys.verify(key)).toMatchObject({ id: `key/${id}`, tenant: 'acme', userId: 'ann' });
  const [stored] = await documents.list<Record<string, unknown>>('access-keys');
  const { tenant: _tenant, userId: _user, ...former } = stored?.value ?? {};
  await documents.write([{ type: 'put', collection: 'access-keys', key: id, value: former }]);
  const caller = await connect().verify(key);
  expect(caller).toMatchObject({ tenant: 'default' });
  expect(caller?.userId).toBeUndefined();
  expect(await keys.list()).toMatchObject([{ id, tenant: 'default' }]);
});

test('the keys of a tenant are those that its administrators see', async () => {
  const { id } = await keys.create({ ...reader, tenant: 'acme' });
  const { id: other } = await keys.create(reader);
  expect((await keys.list('acme')).map((key) => key.id)).toEqual([id]);
  expect((await keys.list()).map((key) => key.id).sort()).toEqual([id, other].sort());
  for (const change of [keys.rotate(other, 'acme'), keys.revoke(other, 'acme')])
    await expect(change).rejects.toMatchObject({ code: 'KEY_NOT_FOUND' });
  await keys.rotate(id, 'acme');
  await keys.revoke(id, 'acme');
  expect(await keys.list('acme')).toEqual([]);
});

test('all keys of a user are revoked together, and those of others stay', async () => {
  const own = [
    await keys.create({ ...reader, tenant: 'acme', userId: 'ann' }),
    await keys.create({ ...reader, tenant: 'acme', userId: 'ann' }),
  ];
  const others = [
    await keys.create({ ...reader, userId: 'ann' }),
    await keys.create({ ...reader, tenant: 'acme', userId: 'bob' }),
    await keys.create({ ...reader, tenant: 'acme' }),
  ];
  await keys.revokeOfUser('acme', 'ann');
  for (const { key } of own) expect(await keys.verify(key)).toBeUndefined();
  for (const { key } of others) expect(await keys.verify(key)).toBeDefined();
  await keys.revokeOfUser('acme', 'carl');
});

test('a stamp stands for the present secret of a key, in every process, and is not its hash', async () => {
  const { id } = await keys.create({ ...reader, expiresAt: new Date(START + 60_000).toISOString() });
  const stamp = await keys.stampOf(id);
  expect(stamp).toMatch(/^[0-9a-f]{16}$/);
  expect(await connect().stampOf(id)).toBe(stamp);
  expect(JSON.stringify(await documents.list('access-keys'))).not.toContain(stamp);
  await keys.rotate(id);
  expect(await keys.stampOf(id)).not.toBe(stamp);
  now = START + 60_000;
  expect(await keys.stampOf(id)).toBeUndefined();
  const other = await keys.create(reader);
  await keys.revoke(other.id);
  expect(await keys.stampOf(other.id)).toBeUndefined();
});
