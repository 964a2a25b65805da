import { createApiRoutes } from '../../api/api-routes';
import type { AnyRoute } from '../../api/http/route';
import { recordExportRoutes } from '../../api/records/export-routes';
import { recordImportRoutes } from '../../api/records/import-routes';
import { recordRoutes } from '../../api/records/record-routes';
import { recordTraceRoutes } from '../../api/records/trace-routes';
import { loadConfig } from '../../src/settings/config';

/** Stands for every port: routes are built from their ports without calling them. */
const port: unknown = new Proxy(() => port, { get: () => port, apply: () => port });

/** The routes of both APIs, to read what they declare. Their handlers cannot be called. */
export function allRoutes(): { readonly api: readonly AnyRoute[]; readonly records: readonly AnyRoute[] } {
  const config = loadConfig({});
  const shared = new Proxy({} as never, { get: (_, name) => (name === 'config' ? config : port) });
  return {
    api: createApiRoutes(shared, port as never, port as never),
    records: [
      ...recordRoutes(port as never, config),
      ...recordTraceRoutes(port as never, config),
      ...recordImportRoutes(port as never),
      ...recordExportRoutes(port as never),
    ],
  };
}
