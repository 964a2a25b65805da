import type { Authenticator } from '../../../src/access/authenticator';
import { onceForEach } from '../../../src/base/async/once-for-each';
import type { Config } from '../../../src/settings/config';
import type { Logger } from '../../../src/base/logger';
import type { Metrics } from '../../../src/base/metrics';
import { DEFAULT_TENANT } from '../../../src/contracts/tenants';
import { createRecordsService } from '../domain/create-records-service';
import { createRecordImportFiles } from '../domain/import/create-import-files';
import type { Pseudonyms } from '../../../src/secrets/pseudonyms';
import { createRedactor } from '../../../src/secrets/redactor';
import type { BlobStore } from '../../../src/stores/blobs/blob-store';
import type { DiskWatch } from '../../../src/stores/disk-watch';
import type { RecordStores } from '../stores/record-stores';
import type { Engine } from '../../../temporal/engine';
import { measuredRunClient } from '../../../temporal/runs/measured-run-client';
import { createRunClient } from '../../../temporal/runs/run-client';
import { createApp } from '../../../api/app';
import type { AnyRoute } from '../../../api/http/route';
import { identifyBy } from '../../../api/http/caller-identity';
import { type HttpServer, listen } from '../../../api/http/server';
import { createImportRuns } from '../../../api/runs/import-runs';
import type { RecordServices } from './collection-routes';
import { recordExportRoutes } from './export-routes';
import { type RecordImportServices, recordImportRoutes } from './import-routes';
import { recordTraceRoutes } from './trace-routes';
import { recordRoutes, RECORD_SCHEMAS } from './record-routes';

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
  /** Called at the first request of a tenant but the default one. @throws HoldfastError as `admitTenant` does */
  readonly admitTenant: (tenant: string) => Promise<void>;
  /** Returns the address of the main API where callers reach it; undefined while it is not known. */
  readonly apiUrl?: (() => string | undefined) | undefined;
}

/** What the OpenAPI document says of the API of records. */
export const RECORDS_INFO = {
  title: 'holdfast records',
  description:
    'Facilities, shipments between them, inspections and contaminants, and the goods that a contaminant may have affected. ' +
    'The examples are records that `npm run demo` creates.',
  schemas: RECORD_SCHEMAS,
};

/** All routes of the record-keeping API, once for all tenants. */
export function createRecordRoutes(config: Config): AnyRoute<RecordServices & RecordImportServices>[] {
  return [
    ...recordRoutes(config),
    ...recordTraceRoutes(config),
    ...recordImportRoutes(),
    ...recordExportRoutes(),
  ];
}

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

  const servicesOf = onceForEach(async (tenant) => {
    if (tenant !== DEFAULT_TENANT) await admitTenant(tenant);
    const files = createRecordImportFiles(blobs, config, tenant);
    return {
      records: createRecordsService(stores.of(tenant)),
      imports: createImportRuns({ client, engine, files, logger }),
    };
  });

  const origins = config.RECORDS_CORS_ORIGINS;
  const app = createApp({
    config,
    logger,
    metrics,
    info: RECORDS_INFO,
    redactor: createRedactor(config.REDACT_FIELDS),
    authentication: authenticator && { authenticator, identify: identifyBy(pseudonyms) },
    routes: createRecordRoutes(config),
    servicesOf,
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
