import { type AnyRoute, isStreamRoute } from './route';

/** Matches a path whose only parameter is the id of a thing that another route creates. */
const BY_ID = /^(.*)\/:(\w+)(?:\/\w+)?$/;
const RUN_LOOKUP = '/api/runs/:traceId';

/**
 * Builds the links of a route's success: to the routes that take the id of the created thing, and to the route that
 * looks up the started run. Programs that explore the API follow them.
 */
export function buildLinks(route: AnyRoute, routes: readonly AnyRoute[]): { links?: Record<string, object> } {
  const links = routes.flatMap((target) => {
    const parameters = parametersFor(route, target);
    if (parameters === undefined) return [];
    const operationRef = `#/paths/${toPathTemplate(target.path).replaceAll('/', '~1')}/${target.method}`;
    return [[`${target.method} ${target.path}`.replaceAll(/\W+/g, '-'), { operationRef, parameters }]];
  });
  return links.length === 0 ? {} : { links: Object.fromEntries(links) as Record<string, object> };
}

/** Converts a route's path to the form of OpenAPI. */
export function toPathTemplate(path: string): string {
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
