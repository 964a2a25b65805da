import { existsSync, rmSync, statSync } from 'node:fs';
import { DEFAULT_TENANT } from '../../../../../src/contracts/tenants';
import type { RecordStores } from '../../../stores/record-stores';
import type * as Database from '../../../../../src/stores/sqlite/database';
import { openDatabase } from '../../../../../src/stores/sqlite/database';
import { createSqliteRecordStores } from '../../../stores/sqlite';
import { add, facility } from '../../contract/support/records';
import { temporaryFolder } from '../../../../../test/contract/support/temporary-folder';

jest.mock('../../../../../src/stores/sqlite/database', () => {
  const actual = jest.requireActual<typeof Database>('../../../../../src/stores/sqlite/database');
  return { ...actual, openDatabase: jest.fn(actual.openDatabase) };
});

describe('the files of records', () => {
  const opened = jest.mocked(openDatabase);
  let folder: ReturnType<typeof temporaryFolder>;
  let stores: RecordStores;
  beforeEach(() => {
    opened.mockClear();
    folder = temporaryFolder();
    stores = createSqliteRecordStores({ folder: folder.path, maxOpenFiles: 2 });
  });
  afterEach(async () => {
    await stores.close();
    folder.remove();
  });

  const databases = () => opened.mock.results.map(({ value }) => value as Database.SqliteDatabase);
  const openPaths = (): string[] =>
    databases()
      .filter(({ open }) => open)
      .map(({ name }) => name.slice(folder.path.length + 1));
  const find = async (tenant: string): Promise<unknown> =>
    (await stores.of(tenant).get({ collection: 'facilities', id: 'a' }))?.body['name'];

  it('are in folders of tenants that only the owner may read, and where they were for the default tenant', async () => {
    for (const tenant of [DEFAULT_TENANT, 'acme']) await add(stores.of(tenant), facility('a'));
    expect(openPaths()).toEqual(['records.db', 'tenants/acme/records.db']);
    for (const path of ['tenants', 'tenants/acme'])
      expect(statSync(folder.file(path)).mode & 0o777).toBe(0o700);
    expect(statSync(folder.file('tenants/acme/records.db')).mode & 0o777).toBe(0o600);
  });

  it('are closed when others were used since, and opened again', async () => {
    const tenants = ['one', 'two', 'three', 'four'];
    for (const tenant of tenants) {
      await add(stores.of(tenant), facility('a', { name: tenant }));
      expect(openPaths().length).toBeLessThanOrEqual(2);
    }
    for (const tenant of tenants) expect(await find(tenant)).toBe(tenant);
    expect(openPaths()).toEqual(['tenants/three/records.db', 'tenants/four/records.db']);
    await find('three');
    await find('one');
    expect(openPaths()).toEqual(['tenants/three/records.db', 'tenants/one/records.db']);
    expect(await Promise.all(tenants.map(find))).toEqual(tenants);
  });

  it('of newer code are refused at the start, and used by a process that was there before', async () => {
    await add(stores.of('acme'), facility('a', { name: 'acme' }));
    await stores.ping();
    for (const path of ['records.db', 'tenants/acme/records.db']) {
      const database = openDatabase(folder.file(path), { busyTimeoutMs: 0 });
      database.pragma('user_version = 1000');
      database.close();
    }
    for (const tenant of ['one', 'two', 'acme']) await find(tenant);
    expect(await find('acme')).toBe('acme');
    const started = createSqliteRecordStores({ folder: folder.path, maxOpenFiles: 2 });
    await expect(started.ping()).rejects.toMatchObject({ code: 'CONFIGURATION' });
    await started.close();
  });

  it('are not made again where one disappeared while it was closed', async () => {
    const path = folder.file('tenants/one/records.db');
    for (const tenant of ['one', 'two', 'three']) await find(tenant);
    rmSync(path);
    await expect(find('one')).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    expect(existsSync(path)).toBe(false);
  });

  it('are not opened before they are needed', () => {
    stores.of('acme');
    expect(opened).not.toHaveBeenCalled();
    expect(existsSync(folder.file('tenants'))).toBe(false);
  });
});
