import { SCOPES, type Scope } from '../contracts/http/access';
import { DEFAULT_TENANT } from '../contracts/tenants';

/** Who sent a request, as far as it was authenticated. */
export interface Caller {
  /** Identifies the caller, as in `key/0f3a…` or `jwt/…`; undefined if no caller is authenticated. */
  readonly id: string | undefined;
  /** The id of the caller's key, which log lines name. Subjects of tokens are not logged, because they may be names of users. */
  readonly keyId?: string;
  readonly scopes: ReadonlySet<Scope>;
  readonly tenant: string;
  /** The only user whom the caller may name; absent: it may name any user of its tenant. */
  readonly userId?: string | undefined;
}

/** The caller of every request if `AUTH` is `off`: it may do everything in the default tenant. */
export const ANYONE: Caller = { id: undefined, scopes: new Set(SCOPES), tenant: DEFAULT_TENANT };
