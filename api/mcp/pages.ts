import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { z } from 'zod';

/**
 * The parameters of a list. Every handler names the schema of its parameters, because without one the package answers wrong
 * parameters as an error of the server.
 */
export const pageParams = z.looseObject({ cursor: z.string().optional() });

const PAGE_LENGTH = 100;
/** What a cursor says before the name after which its page begins. */
const AFTER = 'after:';

/**
 * Takes a page of a list in the order of the names. The next page begins after the last name of this one, so that it is right
 * also where items were added or removed meanwhile.
 * @throws ProtocolError for a cursor that is not one of a page
 */
export function takePage<T extends { readonly name: string }>(
  items: readonly T[],
  cursor: string | undefined,
): { readonly page: T[]; readonly nextCursor?: string } {
  const after = cursor === undefined ? undefined : readCursor(cursor);
  const sorted = [...items].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  const rest = after === undefined ? sorted : sorted.filter(({ name }) => name > after);
  const page = rest.slice(0, PAGE_LENGTH);
  const last = page.at(-1);
  return rest.length > page.length && last !== undefined
    ? { page, nextCursor: toCursor(last.name) }
    : { page };
}

function toCursor(name: string): string {
  return Buffer.from(AFTER + name).toString('base64url');
}

function readCursor(cursor: string): string {
  const text = Buffer.from(cursor, 'base64url').toString();
  if (!text.startsWith(AFTER))
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'The cursor is not one of a page');
  return text.slice(AFTER.length);
}
