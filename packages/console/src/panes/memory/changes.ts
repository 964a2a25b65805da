import { signal } from '@preact/signals';

/** Grows with each change that is made here, so that lists are asked for again. */
export const changes = signal(0);

export const noteChange = (): number => (changes.value += 1);

/** What the address has of what is open at the right. */
export const CLOSED = {
  ...{ memory: undefined, kind: undefined, fact: undefined },
  ...{ form: undefined, import: undefined, receipt: undefined },
};
