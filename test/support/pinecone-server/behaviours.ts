import { setTimeout as delay } from 'node:timers/promises';
import type { ServerResponse } from 'node:http';
import type { PeerRequest } from '../stub-peer';

/** Answers a request as Pinecone does. */
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

/** Answers an error in the form of the data plane, or a text as the layer in front of it does. */
export function fails(status: number, message: string | object = 'failed', headers: object = {}): Behaviour {
  return (_request, response) => {
    const body = typeof message === 'string' ? message : JSON.stringify(message);
    const type = typeof message === 'string' ? 'text/plain' : 'application/json';
    response.writeHead(status, { 'content-type': type, ...headers }).end(body);
  };
}

/** Answers 429 with this `Retry-After`, seconds or a date. */
export function limitsRate(retryAfter: string): Behaviour {
  return fails(429, 'Request rate limit exceeded', { 'retry-after': retryAfter });
}

/** Closes the connection and does nothing of what was requested. */
export function drops(): Behaviour {
  return (_request, response) => void response.destroy();
}

/** Does what was requested of the data plane and closes the connection before it sends the answer. */
export function losesAnswer(): Behaviour {
  return (request, response, serve) => {
    // The connection is closed first, because an answer would be sent at once.
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
