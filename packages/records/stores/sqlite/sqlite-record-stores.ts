import { join } from 'node:path';
import { DEFAULT_TENANT } from '../../../../src/contracts/tenants';
import type { RecordStore } from '../record-store';
import type { RecordStores } from '../record-stores';
import { OpenFiles } from '../../../../src/stores/sqlite/open-files';
import { SqliteRecordStore } from './sqlite-record-store';
import { pathOfTenant } from '../../../../src/stores/tenants/tenant-names';

export interface SqliteRecordStoresOptions {
  /** The folder of the default tenant's file, and of the folders of the other tenants. */
  readonly folder: string;
  /** The maximum time that an operation waits for another process's lock before it throws, milliseconds. */
  readonly busyTimeoutMs: number;
  /** The maximum number of files that are open at once. */
  readonly maxOpenFiles: number;
}

/** The name of a tenant's file. */
const RECORDS = 'records.db';

/** Records in SQLite files, one for each tenant. */
export class SqliteRecordStores implements RecordStores {
  readonly #options: SqliteRecordStoresOptions;
  readonly #openFiles: OpenFiles;
  readonly #stores = new Map<string, SqliteRecordStore>();
  #isClosed = false;

  constructor(options: SqliteRecordStoresOptions) {
    this.#options = options;
    this.#openFiles = new OpenFiles(options.maxOpenFiles);
  }

  of(tenant: string): RecordStore {
    return this.#of(tenant);
  }

  ping(): Promise<void> {
    return this.#of(DEFAULT_TENANT).ping();
  }

  close(): Promise<void> {
    this.#isClosed = true;
    for (const store of this.#stores.values()) store.close();
    return Promise.resolve();
  }

  #of(tenant: string): SqliteRecordStore {
    let store = this.#stores.get(tenant);
    if (store === undefined) {
      const { folder, busyTimeoutMs } = this.#options;
      const path = join(folder, pathOfTenant(tenant, RECORDS));
      // A process checks the schema of the default tenant's file when it starts, and newer code migrates that file first.
      const mayBeNewer = tenant !== DEFAULT_TENANT;
      store = new SqliteRecordStore({ path, busyTimeoutMs, openFiles: this.#openFiles, mayBeNewer });
      if (this.#isClosed) store.close();
      this.#stores.set(tenant, store);
    }
    return store;
  }
}
