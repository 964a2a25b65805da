import { DEFAULT_TENANT } from '../../../src/contracts/tenants';
import type { DocumentStore } from '../../../src/stores/documents';
import { tenantDocuments } from '../../../src/stores/tenants/tenant-documents';
import { MAX_TENANTS } from '../../../src/tenants/admit-tenant';
import { createTenants, type Tenants, type TenantServices } from '../../../src/tenants/tenants';
import { testStores } from '../tools/registry-fixtures';

let stores: ReturnType<typeof testStores>;
let documents: DocumentStore;
let seeded: string[];
let failure: Error | undefined;
beforeEach(() => {
  stores = testStores();
  documents = stores.connect();
  seeded = [];
  failure = undefined;
});
afterEach(() => stores.dispose());

function connect(): Tenants {
  return createTenants({
    documents,
    createServices(tenant) {
      const seed = (): Promise<void> => {
        seeded.push(tenant);
        return failure === undefined ? Promise.resolve() : Promise.reject(failure);
      };
      return { tenant, registry: { seed } } as unknown as TenantServices;
    },
  });
}

test('a tenant is known to all processes from its first use on, and prepared once in each', async () => {
  const [one, other] = [connect(), connect()];
  expect(one.default.tenant).toBe(DEFAULT_TENANT);
  expect(await one.of(DEFAULT_TENANT)).toBe(one.default);
  expect(await one.list()).toEqual([DEFAULT_TENANT]);
  const services = await one.of('acme');
  expect(await one.of('acme')).toBe(services);
  expect(services.tenant).toBe('acme');
  await other.of('acme');
  expect(await other.list()).toEqual([DEFAULT_TENANT, 'acme']);
  expect(seeded).toEqual(['acme', 'acme']);
});

test('a tenant that could not be prepared is prepared at the next use', async () => {
  const tenants = connect();
  failure = new Error('the store is away');
  await expect(tenants.of('acme')).rejects.toThrow('the store is away');
  failure = undefined;
  expect((await tenants.of('acme')).tenant).toBe('acme');
});

test('there is a maximum number of tenants, and those that are known stay', async () => {
  const tenants = connect();
  await tenants.of('acme');
  const others = Array.from({ length: MAX_TENANTS - 1 }, (_, at) => ({
    type: 'put' as const,
    collection: 'tenants',
    key: `t${at}`,
    value: {},
  }));
  await documents.write(others);
  await expect(tenants.of('one-more')).rejects.toMatchObject({ code: 'ACCESS_DENIED' });
  expect((await connect().of('acme')).tenant).toBe('acme');
});

test('documents of tenants are apart, and those of the default tenant are what was there before', async () => {
  const put = { type: 'put', collection: 'tools', key: 'a' } as const;
  await documents.write([{ ...put, value: 'from before' }]);
  const [own, acme, other] = ['default', 'acme', 'globex'].map((tenant) =>
    tenantDocuments(documents, tenant),
  );
  expect(await own?.get('tools', 'a')).toMatchObject({ value: 'from before' });
  expect(await acme?.get('tools', 'a')).toBeUndefined();
  expect(await acme?.write([{ ...put, value: 'of acme', ifVersion: 0 }])).toBe(true);
  expect(await other?.write([{ ...put, value: 'of globex', ifVersion: 0 }])).toBe(true);
  for (const [store, value] of [
    [own, 'from before'],
    [acme, 'of acme'],
    [other, 'of globex'],
  ] as const) {
    expect((await store?.list('tools'))?.map((document) => document.value)).toEqual([value]);
    expect((await store?.getEach('tools', ['a']))?.get('a')?.value).toBe(value);
    expect((await store?.getMany('tools', ['a']))?.get('a')?.value).toBe(value);
  }
  await acme?.write([{ type: 'delete', collection: 'tools', key: 'a' }]);
  expect(await acme?.list('tools')).toEqual([]);
  expect(await other?.get('tools', 'a')).toBeDefined();
});
