import { signal } from '@preact/signals';

const STORED = 'holdfast-key';

/** Whether the service asks its callers for a key or a token. The page says so, since a request without one would fail. */
export const needsKey = document.documentElement.dataset['auth'] === 'on';

/** The key that a person has given. It stays in this tab, and is forgotten with it. */
export const key = signal(sessionStorage.getItem(STORED) ?? undefined);
/** Why a key is asked for again; undefined: none was refused. */
export const refusal = signal<string | undefined>(undefined);

type Scope = 'read' | 'run' | 'memory' | 'records' | 'tools' | 'admin';

/** Who calls with the key, as the service says. */
interface Caller {
  readonly auth: 'keys' | 'jwt' | 'off';
  readonly scopes: readonly Scope[];
  readonly tenant: string;
  /** The only user whom requests may name; absent: any. */
  readonly userId?: string | undefined;
}

/** Undefined until the service has said it. */
export const caller = signal<Caller | undefined>(undefined);

/** Whether a request that takes a scope is accepted. */
export const may = (scope: Scope): boolean => caller.value?.scopes.includes(scope) === true;

/** Whether it is accepted too if it concerns all users. */
export const mayForAll = (scope: Scope): boolean => may(scope) && caller.value?.userId === undefined;

export function takeKey(given: string): void {
  sessionStorage.setItem(STORED, given);
  refusal.value = undefined;
  key.value = given;
}

export function forgetKey(why?: string): void {
  sessionStorage.removeItem(STORED);
  refusal.value = why;
  key.value = undefined;
  caller.value = undefined;
}
