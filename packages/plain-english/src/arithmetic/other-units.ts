import type { PlannedStep } from '../plan/step';
import { matchQuantity } from '../text/quantity';
import { textOf, type TokenText } from '../text/token';
import { measureOf } from '../text/units';

/** An amount as it is written: its unit, and its words. */
interface Amount {
  readonly unit: string;
  readonly text: string;
}

/**
 * Amounts of different units that a plan adds, or takes from one another: `5 kg and 300 g`. Undefined where there are none; an
 * amount without a unit may be in that of the other.
 */
export function findOtherUnits(clause: TokenText, steps: readonly PlannedStep[]): string | undefined {
  const amounts = readAmounts(clause);
  for (const { args } of steps) {
    if (args['operation'] !== 'add' && args['operation'] !== 'subtract') continue;
    const [one, other] = [args['a'], args['b']].map((value) => amounts.get(value));
    if (one && other && one.unit !== other.unit) return `${one.text} and ${other.text}`;
  }
  return undefined;
}

/** By value; a value without a unit, or in two of them, is left out. */
function readAmounts(clause: TokenText): ReadonlyMap<unknown, Amount> {
  const { tokens } = clause;
  const amounts = new Map<unknown, Amount>();
  const unclear = new Set<number>();
  for (let at = 0; at < tokens.length;) {
    const { value, next, currency } = matchQuantity(tokens, at) ?? { value: undefined, next: at + 1 };
    const after = currency === undefined && tokens[next]?.kind === 'word' ? tokens[next] : undefined;
    const unit = measureOf(currency ?? after?.lower ?? '');
    const known = amounts.get(value);
    if (value !== undefined && (unit === undefined || (known && known.unit !== unit))) unclear.add(value);
    else if (unit !== undefined)
      amounts.set(value, { unit, text: textOf(clause, at, after ? next + 1 : next) });
    at = next;
  }
  for (const value of unclear) amounts.delete(value);
  return amounts;
}
