import { SCOPES, type Scope } from '../contracts/http/access';

/** Who sent a request, as far as it was authenticated. */
export interface Caller {
  /** Identifies the caller, as in `key/0f3a…` or `jwt/…`; undefined where no caller is authenticated. */
  readonly id: string | undefined;
  /** The id of the caller's key, which log lines name. Subjects of tokens are not logged, because they may be names of users. */
  readonly keyId?: string;
  readonly scopes: ReadonlySet<Scope>;
}

/** The caller of every request where `AUTH` is `off`: it may do everything. */
export const ANYONE: Caller = { id: undefined, scopes: new Set(SCOPES) };
