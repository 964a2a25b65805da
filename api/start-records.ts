import type { Authenticator } from '../src/access/authenticator';
import type { Config } from '../src/settings/config';
import type { Logger } from '../src/base/logger';
import type { Metrics } from '../src/base/metrics';
import { DEFAULT_TENANT } from '../src/contracts/tenants';
import { createRecordsService } from '../src/records/create-records-service';
import { createRecordImportFiles } from '../src/imports/create-import-files';
import type { Pseudonyms } from '../src/secrets/pseudonyms';
import { createRedactor } from '../src/secrets/redactor';
import type { BlobStore } from '../src/stores/blobs/blob-store';
import type { DiskWatch } from '../src/stores/disk-watch';
import type { RecordStores } from '../src/stores/records/record-stores';
import type { Engine } from '../temporal/engine';
import { measuredRunClient } from '../temporal/runs/measured-run-client';
import { createRunClient } from '../temporal/runs/run-client';
import { createApp } from './app';
import type { AnyRoute } from './http/route';
import { identifyBy } from './http/caller-identity';
import { type HttpServer, listen } from './http/server';
import { createImportRuns } from './runs/import-runs';
import { recordExportRoutes } from './records/export-routes';
import { recordImportRoutes } from './records/import-routes';
import { recordTraceRoutes } from './records/trace-routes';
import { recordRoutes } from './records/record-routes';
import { RECORD_SCHEMAS } from './records/record-schemas';

export interface RecordsPorts {
  readonly config: Config;
  readonly logger: Logger;
  readonly engine: Engine;
  readonly stores: RecordStores;
  readonly disk: Pick<DiskWatch, 'isFull'>;
  readonly blobs: BlobStore;
  readonly metrics: Metrics;
  readonly pseudonyms: Pseudonyms;
  /** Absent: callers are not authenticated. */
  readonly authenticator?: Authenticator | undefined;
  /** Called at the first request of a tenant. @throws HoldfastError as `admitTenant` does */
  readonly admitTenant: (tenant: string) => Promise<void>;
  /** Returns the address of the main API where callers reach it; undefined while it is not known. */
  readonly apiUrl?: (() => string | undefined) | undefined;
}

const INFO = {
  title: 'holdfast records',
  description:
    'Facilities, shipments between them, inspections and contaminants, and the goods that a contaminant may have affected. ' +
    'The examples are records that `npm run demo` creates.',
  schemas: RECORD_SCHEMAS,
};

/**
 * Starts the record-keeping API on its own port.
 * @throws HoldfastError `CONFIGURATION` if it cannot listen on the port
 */
export async function startRecords({
  config,
  logger,
  engine,
  stores,
  disk,
  blobs,
  metrics,
  authenticator,
  admitTenant,
  pseudonyms,
  apiUrl,
}: RecordsPorts): Promise<HttpServer> {
  const runs = createRunClient({
    engine,
    logger,
    taskQueue: config.TASK_QUEUE,
    waitLimitMs: config.WAIT_LIMIT_MS,
  });
  const client = measuredRunClient(runs, metrics);

  function createRoutes(tenant: string): AnyRoute[] {
    const records = createRecordsService(stores.of(tenant));
    const files = createRecordImportFiles(blobs, config, tenant);
    return [
      ...recordRoutes(records, config),
      ...recordTraceRoutes(records.traces, config),
      ...recordImportRoutes(createImportRuns({ client, engine, files, logger })),
      ...recordExportRoutes(records.exportRecords),
    ];
  }

  const origins = config.RECORDS_CORS_ORIGINS;
  const app = createApp({
    config,
    logger,
    metrics,
    info: INFO,
    redactor: createRedactor(config.REDACT_FIELDS),
    authentication: authenticator && { authenticator, identify: identifyBy(pseudonyms) },
    routes: createRoutes(DEFAULT_TENANT),
    createRoutes: async (tenant) => {
      await admitTenant(tenant);
      return createRoutes(tenant);
    },
    links: () => ({ main: apiUrl?.() }),
    isReady: () => !disk.isFull(),
    errorForm: () => 'memory',
    crossOrigin: {
      origins: origins.filter((origin) => origin !== '*'),
      anyMayRead: origins.includes('*'),
      loopback: config.loopback,
    },
  });
  return listen(app, { host: config.HOST, port: config.RECORDS_PORT, portSetting: 'RECORDS_PORT' });
}
