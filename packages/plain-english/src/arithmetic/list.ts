import type { Cursor } from './cursor';
import type { Expression } from './expression';

/** Items with `and` or a comma between; where the list is loose, numbers also follow one another without. */
export function readList(
  cursor: Cursor,
  readItem: () => Expression | undefined,
  isLoose = false,
): Expression[] {
  const list: Expression[] = [];
  for (;;) {
    const start = cursor.at;
    if (list.length > 0) cursor.skipUnknown();
    const isSeparated =
      list.length === 0 ||
      passListSeparator(cursor) ||
      (isLoose && (cursor.particle('to', 'than') !== undefined || cursor.peek()?.type === 'number'));
    const isNext = isSeparated && (list.length === 0 || continuesList(cursor));
    const item = isNext ? readItem() : undefined;
    if (!item) {
      cursor.at = start;
      return list;
    }
    list.push(item);
  }
}

function passListSeparator(cursor: Cursor): boolean {
  const start = cursor.at;
  const next = cursor.peek();
  if (next?.type === 'separator' && !next.strong) cursor.at++;
  cursor.particle('and', 'with');
  return cursor.at > start;
}

/** After a comma or `and`, `double` and the like begin a new instruction. */
function continuesList(cursor: Cursor): boolean {
  const next = cursor.peek();
  if (next?.type === 'pronoun') return cursor.peek(1)?.type !== 'infix';
  if (next?.type === 'infix') return next.operation === 'subtract' && next.token.text === '-';
  return next?.type === 'number' || next?.type === 'open' || next?.type === 'function';
}
