import type { AnyRoute } from './route';
import { isStreamRoute } from './route';

/** The one path parameter of a route that reads, changes or removes what another route has made. */
const BY_ID = /^(.*)\/:(\w+)(?:\/\w+)?$/;
const RUN_LOOKUP = '/api/runs/:traceId';

/**
 * The links of a route's success: which routes take the id of what it has made, and where the run that it has started is
 * looked up. A program that explores the API follows them.
 */
export function linksOf(route: AnyRoute, routes: readonly AnyRoute[]): { links?: Record<string, object> } {
  const links = routes.flatMap((target) => {
    const parameters = parametersFor(route, target);
    if (parameters === undefined) return [];
    const operationRef = `#/paths/${templateOf(target.path).replaceAll('/', '~1')}/${target.method}`;
    return [[`${target.method} ${target.path}`.replaceAll(/\W+/g, '-'), { operationRef, parameters }]];
  });
  return links.length === 0 ? {} : { links: Object.fromEntries(links) as Record<string, object> };
}

/** A route's path as OpenAPI writes it. */
export function templateOf(path: string): string {
  return path.replaceAll(/:(\w+)/g, '{$1}');
}

function parametersFor(route: AnyRoute, target: AnyRoute): Record<string, string> | undefined {
  if (isStreamRoute(route)) return undefined;
  if (target.path === RUN_LOOKUP && route.startsRun === true)
    return { traceId: '$response.header.X-Trace-Id' };
  const [, made = '', parameter = ''] = BY_ID.exec(target.path) ?? [];
  const takesId = made === route.path || target.linkedFrom?.includes(route.path) === true;
  if (route.method !== 'post' || route.status !== 201 || !takesId) return undefined;
  return { [parameter]: `$response.body#/data/${route.idIn ?? 'id'}` };
}
