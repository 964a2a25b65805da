export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** The parsed body; undefined if it is not JSON. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests look into bodies freely
  readonly body: any;
  readonly text: string;
}

/** Sends one request over a new connection, so that no test uses the kept-alive socket of another. */
export async function request(url: string, init: RequestInit = {}): Promise<Answer> {
  const headers = new Headers(init.headers);
  if (!headers.has('connection')) headers.set('connection', 'close');
  const response = await fetch(url, { ...init, headers });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: parse(text), text };
}

/** Sends a JSON request with any method. */
export function send(
  method: string,
  url: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  return request(url, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

export function get(url: string): Promise<Answer> {
  return request(url);
}

export function post(url: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> {
  return send('POST', url, body, headers);
}

/** Sends requests to the paths of one server. */
export interface Paths {
  get(path: string): Promise<Answer>;
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  send(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
}

export function pathsOf(url: string): Paths {
  return {
    get: (path) => get(url + path),
    post: (path, body, headers) => post(url + path, body, headers),
    send: (method, path, body, headers) => send(method, url + path, body, headers),
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
