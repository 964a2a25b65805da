import { setTimeout as delay } from 'node:timers/promises';
import type { ServerResponse } from 'node:http';
import type { PeerRequest } from '../stub-peer';

/** Answers a request as the service would. */
export type Serve = (request: PeerRequest, response: ServerResponse) => void;

/** What the server does with one request. */
export type Behaviour = (
  request: PeerRequest,
  response: ServerResponse,
  serve: Serve,
) => void | Promise<void>;

export function serves(): Behaviour {
  return (request, response, serve) => serve(request, response);
}

/** Answers an error in the form of the data plane, or a text as the layer before the service does. */
export function fails(status: number, message: string | object = 'failed', headers: object = {}): Behaviour {
  return (_request, response) => {
    const body = typeof message === 'string' ? message : JSON.stringify(message);
    const type = typeof message === 'string' ? 'text/plain' : 'application/json';
    response.writeHead(status, { 'content-type': type, ...headers }).end(body);
  };
}

/** 429 with `Retry-After`, seconds or a date. */
export function limitsRate(retryAfter: string): Behaviour {
  return fails(429, 'Request rate limit exceeded', { 'retry-after': retryAfter });
}

/** Closes the connection without having done anything. */
export function drops(): Behaviour {
  return (_request, response) => void response.destroy();
}

/** Does what was asked of the data plane and closes the connection before the answer is out. */
export function losesAnswer(): Behaviour {
  return (request, response, serve) => {
    // First, as an answer would be on its way at once.
    response.destroy();
    serve(request, response);
  };
}

/** Never answers. */
export function hangs(): Behaviour {
  return () => undefined;
}

/** Answers after a time, milliseconds. */
export function slowly(milliseconds: number): Behaviour {
  return async (request, response, serve) => {
    await delay(milliseconds);
    if (!response.destroyed) serve(request, response);
  };
}
