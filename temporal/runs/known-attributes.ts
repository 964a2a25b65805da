import { LATER_ATTRIBUTES } from '../../src/contracts/runs/search-attributes';
import { refusesSearchAttributes } from './run-errors';
import { type KnownAttributes, NO_ATTRIBUTES } from '../search-attributes';

/**
 * Makes a call with the attributes that the server had when the connection was made. If the server refuses them, it may
 * have lost some since, so the call is made again without the later ones, and then without any.
 * @param attempt called with the attributes to use
 */
export async function withKnownAttributes<T>(
  known: KnownAttributes,
  attempt: (known: KnownAttributes) => Promise<T>,
  onRefusal: (error: unknown) => void = () => undefined,
): Promise<T> {
  const first = new Set([...known].filter((name) => !LATER_ATTRIBUTES.has(name)));
  for (const fewer of [known, first]) {
    try {
      return await attempt(fewer);
    } catch (error) {
      if (!refusesSearchAttributes(error)) throw error;
      onRefusal(error);
    }
  }
  return attempt(NO_ATTRIBUTES);
}
