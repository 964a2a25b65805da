import { createApiRoutes } from '../../api/api-routes';
import { openApiDocument } from '../../api/http/openapi';
import { API_INFO } from '../../api/start-api';
import { createRecordRoutes, RECORDS_INFO } from '../../packages/records/api/start-records';
import type { AnyRoute } from '../../api/http/route';
import { loadConfig } from '../../src/settings/config';

/** Stands for every port: routes are built from their ports without calling them. */
const port: unknown = new Proxy(() => port, { get: () => port, apply: () => port });

/** The routes of both APIs, to read what they declare. Their handlers cannot be called. */
export function allRoutes(): { readonly api: readonly AnyRoute[]; readonly records: readonly AnyRoute[] } {
  const config = loadConfig({});
  const shared = new Proxy({} as never, { get: (_, name) => (name === 'config' ? config : port) });
  return {
    api: createApiRoutes(shared),
    records: createRecordRoutes(config),
  };
}

/** The OpenAPI documents of both APIs, as they are where callers are authenticated, without starting a service. */
export function openApiDocuments(): { readonly api: object; readonly records: object } {
  const { api, records } = allRoutes();
  return {
    api: openApiDocument(api, { ...API_INFO, authenticated: true }),
    records: openApiDocument(records, { ...RECORDS_INFO, authenticated: true }),
  };
}
