import type { Cursor } from './cursor';
import type { Expression } from './expression';

/** Operands with `and` or a comma between. */
export function readList(cursor: Cursor): Expression[] {
  const list: Expression[] = [];
  const first = cursor.expression();
  if (!first) return list;
  list.push(first);
  for (;;) {
    const start = cursor.at;
    cursor.skipUnknown();
    if (!passListSeparator(cursor) || !continuesList(cursor)) {
      cursor.at = start;
      return list;
    }
    const next = cursor.expression();
    if (!next) {
      cursor.at = start;
      return list;
    }
    list.push(next);
  }
}

export function passListSeparator(cursor: Cursor): boolean {
  const start = cursor.at;
  const next = cursor.peek();
  if (next?.type === 'separator' && !next.strong) cursor.at++;
  cursor.particle('and', 'with');
  return cursor.at > start;
}

/** After a comma or `and`, `double` and the like begin a new instruction. */
export function continuesList(cursor: Cursor): boolean {
  const type = cursor.peek()?.type;
  const after = cursor.peek(1);
  if (type === 'pronoun') return after?.type !== 'infix';
  if (type === 'number' && after?.type === 'infix' && cursor.peek(-1)?.type === 'separator') return true;
  return type === 'number' || type === 'open' || type === 'function' || (type === 'infix' && isMinus(cursor));
}

function isMinus(cursor: Cursor): boolean {
  const next = cursor.peek();
  return next?.type === 'infix' && next.operation === 'subtract' && next.token.text === '-';
}
