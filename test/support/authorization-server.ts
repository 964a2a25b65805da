import { fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { freePort } from './free-port';

/** What the process reports. */
interface Report {
  readonly issued?: string;
  readonly grant?: string;
  readonly refused?: string;
}

/** A real authorization server, as a process of its own. */
export interface AuthorizationServer {
  readonly issuer: string;
  /** The secret of its client `given`, and of the server that asks about tokens, `shop`. */
  readonly secret: string;
  /** The tokens, codes and secrets of clients that it has issued, and the verifiers that it was sent. */
  readonly issued: ReadonlySet<string>;
  /** The types of the grants that it made, in order. */
  readonly grants: readonly string[];
  /** Why it refused requests for tokens. */
  readonly refusals: readonly string[];
  /** Sets how long access tokens are valid, seconds, and whether accounts are locked. */
  set(settings: { readonly lifetime?: number; readonly locked?: boolean }): Promise<void>;
  /** What it says of a token, to a server that got it. */
  introspect(token: string): Promise<{ active: boolean; aud?: string; scope?: string; sub?: string }>;
  close(): Promise<void>;
}

/** @param callback where its client `given` may come back */
export async function startAuthorizationServer(callback: string): Promise<AuthorizationServer> {
  const port = await freePort();
  const secret = randomBytes(24).toString('hex');
  const issuer = `http://127.0.0.1:${port}`;
  const child = fork(join(__dirname, 'oidc-provider.mjs'), [JSON.stringify({ port, secret, callback })], {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    execArgv: [],
  });
  let errors = '';
  child.stderr?.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  const [issued, grants, refusals] = [new Set<string>(), [] as string[], [] as string[]];
  child.on('message', ({ issued: text, grant, refused }: Report) => {
    if (text !== undefined) issued.add(text);
    if (grant !== undefined) grants.push(grant);
    if (refused !== undefined) refusals.push(refused);
  });
  const exited = once(child, 'exit');
  const reported = async (key: string): Promise<void> => {
    for (;;) {
      const [message] = (await Promise.race([
        once(child, 'message'),
        exited.then(() => Promise.reject(new Error(`the authorization server ended: ${errors}`))),
      ])) as [object];
      if (key in message) return;
    }
  };
  await reported('listening');
  return {
    issuer,
    secret,
    issued,
    grants,
    refusals,
    async set(settings) {
      const done = reported('set');
      child.send(settings);
      await done;
    },
    async introspect(token) {
      const answer = await fetch(`${issuer}/token/introspection`, {
        method: 'POST',
        headers: { authorization: `Basic ${Buffer.from(`shop:${secret}`).toString('base64')}` },
        body: new URLSearchParams({ token }),
      });
      return (await answer.json()) as { active: boolean };
    },
    async close() {
      child.disconnect();
      await exited;
    },
  };
}

/**
 * Logs a person in as a browser does, with cookies and forms, and follows no address at `callback`.
 * @param callback where the browser comes back
 * @returns the address there, with the answer of the authorization server
 */
export async function logIn(
  authorizationUrl: string,
  callback: string,
  choice: 'accept' | 'refuse' = 'accept',
): Promise<string> {
  const cookies = new Map<string, string>();
  let url = new URL(authorizationUrl);
  let form: URLSearchParams | undefined;
  for (let pages = 0; pages < 20; pages += 1) {
    if (url.href.startsWith(callback)) return url.href;
    const answer = await fetch(url, {
      redirect: 'manual',
      method: form === undefined ? 'GET' : 'POST',
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(form === undefined ? {} : { body: form }),
    });
    for (const cookie of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      cookies.set(name, value);
    }
    const page = await answer.text();
    const next = answer.headers.get('location') ?? (choice === 'refuse' ? abortOf(page) : undefined);
    const action = / action="([^"]+)"/.exec(page)?.[1];
    const prompt = / name="prompt" value="([^"]+)"/.exec(page)?.[1];
    if (next === undefined && (action === undefined || prompt === undefined))
      throw new Error(`the login ended with ${answer.status}: ${page.slice(0, 2_000)}`);
    form =
      next === undefined
        ? new URLSearchParams({ prompt: prompt ?? '', login: 'ann', password: 'x' })
        : undefined;
    url = new URL(next ?? action ?? '', url);
  }
  throw new Error('the login has too many pages');
}

function abortOf(page: string): string | undefined {
  return / href="([^"]+\/abort)"/.exec(page)?.[1];
}
