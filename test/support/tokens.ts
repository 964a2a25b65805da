import { generateKeyPairSync, sign, createHmac, type KeyObject } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export const ISSUER = 'https://issuer.example';
export const AUDIENCE = 'holdfast';

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** A key of an issuer of tokens. */
export interface SigningKey {
  readonly kid: string;
  readonly publicKey: KeyObject;
  /**
   * Signs a token (ES256) with these claims beside `iss`, `aud`, `sub` and an `exp` in an hour. Undefined leaves one out.
   * @param named whether the token names its key, default true
   */
  token(claims?: Readonly<Record<string, unknown>>, named?: boolean): string;
}

export function makeSigningKey(kid: string): SigningKey {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return {
    kid,
    publicKey,
    token: (claims = {}, named = true) => {
      const text = `${encode({ alg: 'ES256', typ: 'JWT', ...(named ? { kid } : {}) })}.${encode(withDefaults(claims))}`;
      const signature = sign('sha256', Buffer.from(text), { key: privateKey, dsaEncoding: 'ieee-p1363' });
      return `${text}.${signature.toString('base64url')}`;
    },
  };
}

const withDefaults = (claims: Readonly<Record<string, unknown>>): object => ({
  ...{ iss: ISSUER, aud: AUDIENCE, sub: 'ada', exp: Math.floor(Date.now() / 1_000) + 3_600, scope: 'read' },
  ...claims,
});

/** A token that is not signed at all. */
export function unsignedToken(): string {
  return `${encode({ alg: 'none', typ: 'JWT' })}.${encode(withDefaults({}))}.`;
}

/** A token whose HMAC has the public key as its secret, which a careless verifier accepts. */
export function confusedToken({ kid, publicKey }: SigningKey): string {
  const text = `${encode({ alg: 'HS256', typ: 'JWT', kid })}.${encode(withDefaults({}))}`;
  const secret = publicKey.export({ type: 'spki', format: 'pem' });
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
}

export interface KeySetServer {
  readonly url: string;
  /** While it is false, every request is a 500. */
  works: boolean;
  close(): Promise<void>;
}

/** Serves a JSON Web Key Set. */
export async function serveKeySet(keys: readonly SigningKey[]): Promise<KeySetServer> {
  const set = {
    keys: keys.map(({ kid, publicKey }) => ({ ...publicKey.export({ format: 'jwk' }), kid, alg: 'ES256' })),
  };
  const server: Server = createServer((_, response) => {
    response.writeHead(served.works ? 200 : 500, { 'content-type': 'application/json', connection: 'close' });
    response.end(served.works ? JSON.stringify(set) : '{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const served = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/keys`,
    works: true,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
  return served;
}
