import { computed, signal } from '@preact/signals';

const STORED = 'holdfast-key';

/** Whether the service asks its callers for a key or a token. The page says so, since a request without one would fail. */
export const needsKey = document.documentElement.dataset['auth'] === 'on';

/** The key that a person has given. It stays in this tab, and is forgotten with it. */
export const key = signal(sessionStorage.getItem(STORED) ?? undefined);
/** Why a key is asked for again; undefined: none was refused. */
export const refusal = signal<string | undefined>(undefined);

export const mayAsk = computed(() => !needsKey || key.value !== undefined);

export function takeKey(given: string): void {
  sessionStorage.setItem(STORED, given);
  refusal.value = undefined;
  key.value = given;
}

export function forgetKey(why?: string): void {
  sessionStorage.removeItem(STORED);
  refusal.value = why;
  key.value = undefined;
}
