import type { GoodsAt } from './record-store';
import type { Movement } from './record';

/** Under which every way is found. */
export const ANY = '*';
/** Under which a way with goods of an unknown lot is found. */
const UNKNOWN = '-';

const lotKey = (lot: string): string => `=${lot}`;

/** What a way is found under by those who follow goods onwards: its lots and those they were made of. */
export function departureKeys({ items }: Movement): string[] {
  return keysOf(items.flatMap(({ lot, sourceLots }) => [lot, ...sourceLots]));
}

/** What a way is found under by those who follow goods back: its lots. */
export function arrivalKeys({ items }: Movement): string[] {
  return keysOf(items.map(({ lot }) => lot));
}

/** What to look for. */
export function wantedKeys({ lot }: GoodsAt): string[] {
  return lot === null ? [ANY] : [lotKey(lot), UNKNOWN];
}

function keysOf(lots: readonly (string | null)[]): string[] {
  return [ANY, ...new Set(lots.map((lot) => (lot === null ? UNKNOWN : lotKey(lot))))];
}
