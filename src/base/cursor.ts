import type { z } from 'zod';
import { validationError } from './errors';
import { tryToParseJson } from './json/parse';

/** Writes the position after which the next page of a list begins, as a text that callers send back. Pure. */
export function writeCursor(position: readonly unknown[]): string {
  return Buffer.from(JSON.stringify(position)).toString('base64url');
}

/** Reads a position. @throws HoldfastError `VALIDATION` for a text that is not the cursor of a page */
export function readCursor<T>(cursor: string, schema: z.ZodType<T>): T {
  const parsed = schema.safeParse(tryToParseJson(Buffer.from(cursor, 'base64url').toString()));
  if (!parsed.success) throw validationError('cursor', 'cursor is not one of a page');
  return parsed.data;
}
