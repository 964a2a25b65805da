import { computed, signal } from '@preact/signals';

const STORED = 'holdfast-key';
const SCOPES = 'holdfast-scopes';

/** Whether the service asks its callers for a key or a token. The page says so, since a request without one would fail. */
export const needsKey = document.documentElement.dataset['auth'] === 'on';

/** The key that a person has given. It stays in this tab, and is forgotten with it. */
export const key = signal(sessionStorage.getItem(STORED) ?? undefined);
/** Why a key is asked for again; undefined: none was refused. */
export const refusal = signal<string | undefined>(undefined);

export const mayAsk = computed(() => !needsKey || key.value !== undefined);

/**
 * What the key may do besides reading and running. The service does not say it, and a request without its scope would fail, so a
 * person says it.
 */
export const moreScopes = signal<ReadonlySet<string>>(
  new Set(needsKey ? sessionStorage.getItem(SCOPES)?.split(' ') : ['tools', 'admin']),
);

/** Notes that the key has a scope, or that the service has refused it. */
export function noteScope(scope: string, has: boolean): void {
  const others = [...moreScopes.value].filter((each) => each !== scope);
  moreScopes.value = new Set(has ? [...others, scope] : others);
  sessionStorage.setItem(SCOPES, [...moreScopes.value].join(' '));
}

export function takeKey(given: string): void {
  sessionStorage.setItem(STORED, given);
  refusal.value = undefined;
  key.value = given;
}

export function forgetKey(why?: string): void {
  sessionStorage.removeItem(STORED);
  sessionStorage.removeItem(SCOPES);
  if (needsKey) moreScopes.value = new Set();
  refusal.value = why;
  key.value = undefined;
}
