import { messageOf } from '../base/errors';

/** Joins the message of an error with those of its causes, because a message such as `fetch failed` has no reason in it. */
export function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause !== undefined ? reasonOf(error.cause) : '';
  return cause === '' ? messageOf(error) : `${messageOf(error)}: ${cause}`;
}
