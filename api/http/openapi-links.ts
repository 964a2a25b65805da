import { type AnyRoute, isStreamRoute } from './route';

/** Matches a path whose only parameter is the id of a thing that another route creates. */
const BY_ID = /^(.*)\/:(\w+)(?:\/\w+)?$/;
const RUN_LOOKUP = '/api/runs/:traceId';

/**
 * Builds the links of a route's success: to the routes that take the id of the created thing, to those whose example takes a value
 * of this answer, and to the route that looks up the started run. Programs that explore the API follow them.
 */
export function buildLinks(route: AnyRoute, routes: readonly AnyRoute[]): { links?: Record<string, object> } {
  const links = routes.flatMap((target) => {
    const parameters = parametersFor(route, target);
    const { operationId } = target;
    return parameters === undefined ? [] : [[operationId, { operationId, parameters }]];
  });
  return links.length === 0 ? {} : { links: Object.fromEntries(links) as Record<string, object> };
}

/** Finds the operations whose answers have the value of a parameter of the path. */
export function findSources(name: string, target: AnyRoute, routes: readonly AnyRoute[]): string[] {
  return routes.flatMap((route) => {
    const expression = parametersFor(route, target)?.[name];
    return expression === undefined || expression.startsWith('$request') ? [] : [route.operationId];
  });
}

/** Converts a route's path to the form of OpenAPI. */
export function toPathTemplate(path: string): string {
  return path.replaceAll(/:(\w+)/g, '{$1}');
}

function parametersFor(route: AnyRoute, target: AnyRoute): Record<string, string> | undefined {
  if (isStreamRoute(route)) return undefined;
  const taken = Object.entries(target.example?.from ?? {}).filter(([, [id]]) => id === route.operationId);
  if (taken.length > 0) {
    const shared = namesIn(target.path).filter((name) => namesIn(route.path).includes(name));
    return Object.fromEntries([
      ...shared.map((name) => [name, `$request.path.${name}`]),
      ...taken.map(([name, [, expression]]) => [name, expression]),
    ]) as Record<string, string>;
  }
  if (target.path === RUN_LOOKUP && route.startsRun === true)
    return { traceId: '$response.header.X-Trace-Id' };
  const [, made = '', parameter = ''] = BY_ID.exec(target.path) ?? [];
  const takesId = made === route.path || target.linkedFrom?.includes(route.path) === true;
  if (route.method !== 'post' || route.status !== 201 || !takesId) return undefined;
  return { [parameter]: `$response.body#/data/${route.idIn ?? 'id'}` };
}

function namesIn(path: string): string[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
}
