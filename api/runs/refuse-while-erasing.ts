import { memoryErasing } from '../../src/stores/memory/errors';
import { isStreamRoute, type AnyRoute } from '../http/route';

/**
 * Makes routes that start runs refuse a caller of one user while that user is erased, because the erasure has to find all runs of
 * the user.
 * @param routes those of runs that belong to the caller; turns of conversations check it by themselves
 */
export function refuseWhileErasing(
  routes: readonly AnyRoute[],
  isErasing: (userId: string) => Promise<boolean>,
): AnyRoute[] {
  return routes.map((route) => {
    if (isStreamRoute(route) || route.startsRun !== true) return route;
    const checkOwner = async (_input: unknown, userId: string): Promise<void> => {
      if (await isErasing(userId)) throw memoryErasing();
    };
    return { ...route, checkOwner };
  });
}
