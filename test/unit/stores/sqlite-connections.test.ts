import { createDocumentStore } from '../../../src/factories/create-stores';
import type { DocumentStore } from '../../../src/stores/documents';
import type * as Database from '../../../src/stores/sqlite/database';
import { openDatabase } from '../../../src/stores/sqlite/database';
import { DocumentStatements } from '../../../src/stores/sqlite/document-statements';
import { put } from '../../contract/support/writes';
import { temporaryFolder } from '../../contract/support/temporary-folder';

jest.mock('../../../src/stores/sqlite/database', () => {
  const actual = jest.requireActual<typeof Database>('../../../src/stores/sqlite/database');
  return { ...actual, openDatabase: jest.fn(actual.openDatabase) };
});

describe('the connections of a SQLite document store', () => {
  const opened = jest.mocked(openDatabase);
  let folder: ReturnType<typeof temporaryFolder>;
  let store: DocumentStore;
  beforeEach(() => {
    opened.mockClear();
    folder = temporaryFolder();
    store = createDocumentStore({ path: folder.file('data.db') });
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await store.close();
    folder.remove();
  });

  const synchronous = (): unknown[] => opened.mock.calls.map(([, options]) => options.synchronous);

  it('are not opened before they are needed', async () => {
    expect(opened).not.toHaveBeenCalled();
    await store.get('c', 'k');
    expect(opened).toHaveBeenCalledTimes(1);
  });

  it('end every write with an fsync, unless less was asked for', async () => {
    await store.write([put('k', 1)]);
    await store.write([put('k', 2)], {});
    await store.write([put('k', 3)], { durability: 'full' });
    expect(synchronous()).toEqual(['FULL']);
    await store.write([put('k', 4)], { durability: 'process' });
    expect(synchronous()).toEqual(['FULL', 'NORMAL']);
    await store.write([put('k', 5)]);
    expect(opened).toHaveBeenCalledTimes(2);
  });

  it.each([
    ['SQLITE_IOERR_FSYNC', 'The data store cannot be reached'],
    ['SQLITE_FULL', 'The disk of the data store is full'],
    ['SQLITE_READONLY_DBMOVED', 'The data store cannot be reached'],
    ['SQLITE_CORRUPT', 'The data store is damaged'],
  ])('are given up after %s, and the next operation opens new ones', async (code, message) => {
    await store.write([put('k', 1)]);
    jest.spyOn(DocumentStatements.prototype, 'write').mockImplementationOnce(() => {
      throw Object.assign(new Error('as SQLite says it'), { code });
    });
    const unavailable = { code: 'STORE_UNAVAILABLE', retryable: true, message };
    await expect(store.write([put('k', 2)])).rejects.toMatchObject(unavailable);
    expect(opened.mock.results[0]?.value).toHaveProperty('open', false);
    expect(await store.write([put('k', 3)])).toBe(true);
    expect(await store.get('c', 'k')).toMatchObject({ value: 3, version: 2 });
    expect(opened).toHaveBeenCalledTimes(2);
  });

  it('are kept when all that is wrong is a lock, or the code', async () => {
    await store.write([put('k', 1)]);
    const write = jest.spyOn(DocumentStatements.prototype, 'write');
    for (const code of ['SQLITE_BUSY', 'SQLITE_BUSY_SNAPSHOT', 'SQLITE_LOCKED']) {
      write.mockImplementationOnce(() => {
        throw Object.assign(new Error('locked'), { code });
      });
    }
    expect(await store.write([put('k', 2)])).toBe(true);
    const mistake = Object.assign(new Error('no such column'), { code: 'SQLITE_ERROR' });
    write.mockImplementationOnce(() => {
      throw mistake;
    });
    await expect(store.write([put('k', 3)])).rejects.toBe(mistake);
    expect(opened).toHaveBeenCalledTimes(1);
  });
});
