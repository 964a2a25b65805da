import Router from '@koa/router';
import Koa from 'koa';
import { mountProbes } from './http/probes';
import { type HttpServer, listen, type ListenOptions } from './http/server';
import type { RequestState } from './http/request-state';

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
