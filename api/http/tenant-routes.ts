import { onceForEach } from '../../src/base/async/once-for-each';
import { DEFAULT_TENANT } from '../../src/contracts/tenants';
import type { AnyRoute } from './route';

/** Creates all routes for a tenant, always in the same order. */
export type CreateRoutes = (tenant: string) => Promise<readonly AnyRoute[]>;

/** Returns the route of a place for a tenant: the same endpoint, with a handler that has that tenant's services alone. */
export type RouteChooser = (index: number, tenant: string) => AnyRoute | Promise<AnyRoute>;

/**
 * Keeps the routes of each tenant, which are created at its first request.
 * @param routes those of the default tenant
 * @param createRoutes absent if the server has no other tenants
 */
export function createRouteChooser(
  routes: readonly AnyRoute[],
  createRoutes: CreateRoutes | undefined,
): RouteChooser {
  const routesOf = onceForEach(async (tenant) => {
    if (createRoutes === undefined) throw new Error('This server has no routes for other tenants');
    return createRoutes(tenant);
  });

  function routeAt(index: number, own: readonly AnyRoute[]): AnyRoute {
    const [route, shared] = [own[index], routes[index]];
    if (route === undefined || route.path !== shared?.path || route.method !== shared.method)
      throw new Error('The routes of a tenant differ from those of the default tenant');
    return route;
  }

  return (index, tenant) =>
    tenant === DEFAULT_TENANT ? routeAt(index, routes) : routesOf(tenant).then((own) => routeAt(index, own));
}
