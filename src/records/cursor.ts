import { z } from 'zod';
import { validationError } from '../base/errors';
import type { RecordPosition } from '../stores/records/record-store';

const positionSchema = z.tuple([z.string(), z.union([z.string(), z.number()]), z.string()]);

/** @param sort as in the request, because a position is valid in one order only */
export function encodeCursor(sort: string, { value, id }: RecordPosition): string {
  return Buffer.from(JSON.stringify([sort, value, id])).toString('base64url');
}

/** @throws HoldfastError `VALIDATION` for an invalid cursor, or one of another order */
export function decodeCursor(cursor: string, sort: string): RecordPosition {
  const parsed = positionSchema.safeParse(parseJson(Buffer.from(cursor, 'base64url').toString()));
  if (!parsed.success) throw validationError('cursor', 'cursor is not one of a page');
  const [cursorSort, value, id] = parsed.data;
  if (cursorSort !== sort)
    throw validationError(
      'cursor',
      `cursor is one of a list with sort=${cursorSort}, which has to be given again`,
    );
  return { value, id };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
