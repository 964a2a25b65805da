import type Router from '@koa/router';
import type { RequestState } from './request-state';

/**
 * Mounts the probes for an orchestrator. They are separate from health, so that an outage elsewhere does not get this
 * process killed. `/livez`: the process answers. `/readyz`: it can accept requests that start runs.
 */
export function mountProbes(router: Router<RequestState>, isReady: () => boolean): void {
  router.get('/livez', (ctx) => {
    ctx.body = { status: 'live' };
  });
  router.get('/readyz', (ctx) => {
    const ready = isReady();
    ctx.status = ready ? 200 : 503;
    ctx.body = { status: ready ? 'ready' : 'not ready' };
  });
}
