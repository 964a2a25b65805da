import type { DefaultContext, Middleware } from 'koa';
import type { KeyStore } from '../../../src/access/key-store';
import { HoldfastError, isHoldfastError } from '../../../src/base/errors';
import type { AccessRule } from '../access';
import type { RequestState } from '../request-state';
import { isMakerValid } from '../caller-identity';
import type { RunToken, RunTokens } from '../../../src/secrets/signed-texts';

export interface RunTokenAccess {
  readonly tokens: Pick<RunTokens, 'read'>;
  /** Absent: keys are not accepted, nor tokens that were made with one. */
  readonly keys: Pick<KeyStore, 'stampOf'> | undefined;
  /** Whether callers are authenticated. */
  readonly authenticated: boolean;
  /** Epoch milliseconds, by the clock with which tokens are made. */
  readonly now: () => number;
}

/** The run that a path concerns; its route says that it takes tokens. */
const RUN = /^\/api\/runs\/([^/]+)/;

/**
 * Lets a token in the query stand for the caller of a route that takes one, since an `EventSource` can send no header. It reads one
 * run, and ends with the key that made it. Its responses are kept by no cache, and no link of a page that shows them names the
 * address.
 * @param ruleOf as in `authentication`
 */
export function runTokenAccess(
  { tokens, keys, authenticated, now }: RunTokenAccess,
  ruleOf: (path: string, method: string) => AccessRule | undefined,
): Middleware<RequestState, DefaultContext> {
  const isValid = async (token: RunToken): Promise<boolean> =>
    now() < token.exp && (await isMakerValid(token, keys, authenticated));

  return async (ctx, next) => {
    const { token: text } = ctx.query;
    if (text === undefined || ruleOf(ctx.path, ctx.method)?.takesRunToken !== true) {
      await next();
      return;
    }
    ctx.set({ 'Referrer-Policy': 'no-referrer', 'Cache-Control': 'no-store' });
    const token = typeof text === 'string' ? tokens.read(text) : undefined;
    if (token === undefined || token.run !== RUN.exec(ctx.path)?.[1] || !(await isValid(token)))
      throw new HoldfastError('UNAUTHENTICATED', 'The token in the address is not valid, or no longer', {
        details: { error: 'invalid_token' },
      });
    const { tenant, user, key } = token;
    const scopes = new Set(['read'] as const);
    const caller = { id: undefined, scopes, tenant, keyId: key };
    const owner = { tenant, user };
    ctx.state.context = { ...ctx.state.context, caller, owner };
    ctx.state.isByRunToken = true;
    // A store that is away is no reason to end a stream.
    ctx.state.isStillValid = () => isValid(token).catch((error: unknown) => isHoldfastError(error));
    await next();
  };
}
