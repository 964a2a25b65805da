import { z } from 'zod';
import { readCursor, writeCursor } from '../base/cursor';
import { validationError } from '../base/errors';
import type { RecordPosition } from '../stores/records/record-store';

const positionSchema = z.tuple([z.string(), z.union([z.string(), z.number()]), z.string()]);

/** @param sort as in the request, because a position is valid in one order only */
export function encodeCursor(sort: string, { value, id }: RecordPosition): string {
  return writeCursor([sort, value, id]);
}

/** @throws HoldfastError `VALIDATION` for an invalid cursor, or one of another order */
export function decodeCursor(cursor: string, sort: string): RecordPosition {
  const [cursorSort, value, id] = readCursor(cursor, positionSchema);
  if (cursorSort !== sort)
    throw validationError(
      'cursor',
      `cursor is one of a list with sort=${cursorSort}, which has to be given again`,
    );
  return { value, id };
}
