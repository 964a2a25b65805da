import { cleanNumber } from '../text/quantity';
import type { Cursor } from './cursor';
import { combine, numberOf, scaled, type Expression } from './expression';

/** After a percentage: of, off, more or less than something. */
export function readShare(cursor: Cursor, share: number): Expression {
  const start = cursor.at;
  // `deduct 15% from 260`: the verb asks for what is taken from.
  const before = cursor.peek(-2);
  const takesAway = before?.type === 'verb' && (before.verb === 'subtract' || before.verb === 'take');
  cursor.skipUnknown(2);
  const word = cursor.particle('of', 'tip', 'on', 'in') ?? (takesAway ? undefined : cursor.particle('off'));
  const next = cursor.peek();
  const reversed =
    word === undefined && next?.type === 'infix' && next.reversed === true && next.operation !== 'divide'
      ? next
      : undefined;
  if (reversed) cursor.at++;
  if (word !== undefined || reversed) {
    const base = cursor.nested(() => cursor.operand());
    if (base) {
      const sign =
        reversed?.operation === 'add' ? 1 : reversed?.operation === 'subtract' || word === 'off' ? -1 : 0;
      const factor = sign === 0 ? share : cleanNumber(1 + sign * share);
      return combine('multiply', numberOf(factor), base);
    }
  }
  cursor.at = start;
  return { kind: 'percent', share };
}

/** `1/4 of 60`. */
export function readWrittenFraction(cursor: Cursor, fraction: Expression): Expression {
  if (fraction.kind !== 'operation' || cursor.peek()?.token.lower !== 'of') return fraction;
  const base = readOf(cursor);
  return base ? combine('divide', combine('multiply', base, fraction.a), fraction.b) : fraction;
}

/** `0.75 of 1,600`. */
function readDecimalOf(cursor: Cursor, share: number): Expression {
  const next = cursor.peek();
  const isShare = share > 0 && share < 1 && next?.token.lower === 'of';
  const base = isShare ? readOf(cursor) : undefined;
  return base ? combine('multiply', numberOf(share), base) : numberOf(share);
}

/** `18 out of 24 as a percentage`. */
function readOutOf(cursor: Cursor, part: number): Expression | undefined {
  return cursor.attempt(() => {
    if (cursor.peek()?.token.lower !== 'out' || cursor.particle('of') === undefined) return undefined;
    const whole = cursor.nested(() => cursor.operand());
    const kind = whole && cursor.particle('as', 'in') !== undefined ? cursor.peek()?.token.lower : undefined;
    const isPercent = /^(?:percent(?:age)?|%)$/.test(kind ?? '');
    if (!whole || !(isPercent || /^(?:fraction|decimal|ratio|quotient|proportion)$/.test(kind ?? '')))
      return undefined;
    cursor.at++;
    return scaled(combine('divide', numberOf(part), whole), isPercent ? 100 : 1);
  });
}

/** `2 thirds of 90`: by whole numbers, as 2/3 has no exact fraction. */
export function readFraction(cursor: Cursor, count: number): Expression {
  const next = cursor.peek();
  if (next?.type !== 'fraction') return readOutOf(cursor, count) ?? readDecimalOf(cursor, count);
  cursor.at++;
  const base = readOf(cursor);
  if (!base) return combine('divide', numberOf(count), numberOf(next.parts));
  const times = count === 1 ? base : combine('multiply', base, numberOf(count));
  return combine('divide', times, numberOf(next.parts));
}

export function readLoneFraction(cursor: Cursor, parts: number): Expression | undefined {
  const start = cursor.at++;
  const base = readOf(cursor);
  if (base?.kind === 'field' && cursor.lexemes[start + 1]?.type !== 'particle') {
    // `the third item` is one of several and not a part of one.
    cursor.at = start;
    return undefined;
  }
  if (base) return combine('divide', base, numberOf(parts));
  return parts === 2 || parts === 4 ? numberOf(1 / parts) : undefined;
}

function readOf(cursor: Cursor): Expression | undefined {
  return cursor.attempt(() => {
    cursor.particle('of', 'as');
    return cursor.nested(() => cursor.operand());
  });
}
