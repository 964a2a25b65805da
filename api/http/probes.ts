import Router from '@koa/router';
import Koa from 'koa';
import type { RequestState } from './request-state';
import { type HttpServer, listen, type ListenOptions } from './server';

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

/**
 * Starts a server with the probes alone, for a process that serves nothing else over HTTP.
 * @throws HoldfastError `CONFIGURATION` if it cannot listen on the port
 */
export function startProbes(isReady: () => boolean, options: ListenOptions): Promise<HttpServer> {
  const app = new Koa<RequestState>();
  const router = new Router<RequestState>({ sensitive: true, strict: true });
  mountProbes(router, isReady);
  app.use(router.routes());
  return listen(app, options);
}
