import type { HttpServer } from '../api/http/server';
import { startRecords } from '../packages/records/api/start-records';
import { admitTenant } from '../src/tenants/admit-tenant';
import type { Authentication } from './authentication';
import { warnOfExposure } from './exposure';
import { blameSetting, type Foundation, storePlace } from './foundation';
import type { Part } from './process';
import { createRecordStores } from '../packages/records';
import { retryWhileAway } from './startup-wait';

/**
 * Opens the stores of records and starts the records API on it. The engine runs its imports.
 * @param apiUrl as in `RecordsPorts`
 */
export async function addRecords(
  part: Part,
  {
    engine,
    blobs,
    documents,
    disk,
    metrics,
    authenticator,
    pseudonyms,
  }: Pick<Foundation, 'engine' | 'blobs' | 'documents' | 'disk' | 'metrics' | 'pseudonyms'> & Authentication,
  apiUrl?: () => string | undefined,
): Promise<HttpServer> {
  const { config, logger, release, graceLeft } = part;
  const stores = createRecordStores(config, metrics);
  release(() => stores.close());
  const place = storePlace(config);
  await blameSetting(place.setting, () => retryWhileAway(part, place, () => stores.ping()));
  const server = await startRecords({
    config,
    logger,
    engine,
    blobs,
    metrics,
    stores,
    disk,
    authenticator,
    admitTenant: (tenant) => admitTenant(documents, tenant),
    pseudonyms,
    apiUrl,
  });
  release(() => server.close(graceLeft()), config.SHUTDOWN_GRACE_MS);
  warnOfExposure(part, 'records API', server.url);
  return server;
}
