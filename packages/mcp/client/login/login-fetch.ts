import type { FetchLike } from '@modelcontextprotocol/client';
import { toolError } from '../../../../src/base/errors';
import type { RunOwner } from '../../../../src/contracts/runs/run-owner';
import type { CheckedFetch } from '../../../../src/egress/checked-fetch';
import { parseHttpUrl } from '../../../../src/egress/hops';
import { LOOPBACK } from '../../../../src/base/http/listening-url';

/** The maximum size of an answer of an authorization server, bytes. */
const MAX_BYTES = 262_144;

/** For which connection a login is. */
export interface LoginUse {
  /** The address of the server. */
  readonly url: string;
  readonly owner: RunOwner;
  readonly allowPrivate: boolean;
}

/** Sends the requests of a login until the signal aborts. */
export type LoginFetch = (signal: AbortSignal) => FetchLike;

/**
 * Returns the `fetch` of a login. Authorization servers are reached by the same egress policy as the server that names them, and
 * redirects lead to no other origin.
 */
export function loginFetch(checked: CheckedFetch, { url, owner, allowPrivate }: LoginUse): LoginFetch {
  const { origin } = new URL(url);
  const fetch = checked.of({ owner, allowPrivate, maxBodyBytes: MAX_BYTES });
  return (signal) => async (input, init) => {
    const address = new URL(input);
    // The client reads a failure of another kind as an absent document, and would ask elsewhere.
    if (address.origin !== origin) asTypeError(() => checkLoginAddress(address.href, allowPrivate));
    const { body, status, statusText, headers } = await fetch(input, { ...init, signal });
    // The client knows answers of its own realm alone, and would take the error of any other one for a broken server.
    return new Response(body, { status, statusText, headers: [...headers] });
  };
}

/**
 * Checks an address that an authorization server has, or that a person opens to log in.
 * @throws HoldfastError `TOOL_EXECUTION_FAILED` unless it is https, or http of this machine if private addresses are allowed
 */
export function checkLoginAddress(text: string, allowPrivate: boolean): void {
  const { protocol, hostname } = parseHttpUrl(text);
  if (protocol === 'https:' || (allowPrivate && LOOPBACK.test(hostname))) return;
  throw toolError(
    `Request refused: the address of a login has to be https, and ${hostname} is asked by http`,
  );
}

function asTypeError(check: () => void): void {
  try {
    check();
  } catch (cause) {
    throw new TypeError('the address of a login is refused', { cause });
  }
}
