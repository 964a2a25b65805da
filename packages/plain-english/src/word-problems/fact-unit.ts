import type { Item } from './items';
import { type Noun, wordAt } from './nouns';
import { AMOUNT, measureOf, MONEY, UNKNOWN } from './units';

export const PRICED =
  /\b(?:costs?|costing|price|priced|pays?|paid|paying|fare|bill|fee|budget|rent|salary|wage|spen[dt]|charges?|charged|earns?|earned|quoted|deposit|voucher|tip|came to|only|worth|sells? (?:it|them|a|an|\w+) for|sold (?:it|them) for|bought (?:it|them) for|saving|save)(?: (?:is|was|are|were|of|for|at|about|me|us|it|them|up|just|only|back|now|the|by))*$/;

export function moneyAt(at: number, currency: string): Noun {
  return { of: [measureOf(currency) ?? MONEY], per: [], next: at + 1, isMeasure: true };
}

/** The unit of a number that names none. */
export function bareUnit(items: readonly Item[], at: number, isPriced: boolean): string {
  if (isPriced) return MONEY;
  if (/^(?:serves|feeds|serving|feeding)$/.test(wordAt(items, at - 1))) return 'person';
  return items[at]?.isDecimal === true ? AMOUNT : UNKNOWN;
}

/** `twice`, `3 times`. */
export function isTimes(items: readonly Item[], at: number): boolean {
  const isWord = items[at + 1]?.kind === 'word' && wordAt(items, at + 1) === 'times';
  return (isWord && wordAt(items, at + 2) !== 'as') || /^(?:once|twice|thrice)$/.test(items[at]?.text ?? '');
}
