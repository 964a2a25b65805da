import { messageOf } from '../base/errors';

/** The message of an error and those of its causes: `fetch failed` alone says nothing. */
export function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause !== undefined ? reasonOf(error.cause) : '';
  return cause === '' ? messageOf(error) : `${messageOf(error)}: ${cause}`;
}
