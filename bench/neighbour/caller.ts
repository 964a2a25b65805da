import { Agent, request } from 'undici';

export interface Sent {
  readonly status: number;
  readonly text: string;
  /** The run that the request started; absent if it started none. */
  readonly traceId?: string | undefined;
}

type Headers = Readonly<Record<string, string>>;

/** Sends requests to one service, each over a new connection, so that none fails because the server closes an idle one. */
export interface Caller {
  get(path: string, headers: Headers): Promise<Sent>;
  post(path: string, body: object, headers: Headers): Promise<Sent>;
}

export const bearer = (key: string): Record<string, string> => ({ authorization: `Bearer ${key}` });

/** @param limitMs how long an answer may take, after which the request fails */
export function createCaller(url: string, limitMs: number): Caller {
  const dispatcher = new Agent({
    connections: null,
    pipelining: 0,
    headersTimeout: limitMs,
    bodyTimeout: limitMs,
  });
  const send = async (
    method: 'GET' | 'POST',
    path: string,
    headers: Headers,
    body?: string,
  ): Promise<Sent> => {
    const answer = await request(url + path, {
      dispatcher,
      method,
      headers,
      signal: AbortSignal.timeout(limitMs),
      ...(body === undefined ? {} : { body }),
    });
    const traceId = answer.headers['x-trace-id'];
    return { status: answer.statusCode, text: await answer.body.text(), traceId: traceId?.toString() };
  };
  return {
    get: (path, headers) => send('GET', path, headers),
    post: (path, body, headers) =>
      send('POST', path, { 'content-type': 'application/json', ...headers }, JSON.stringify(body)),
  };
}
