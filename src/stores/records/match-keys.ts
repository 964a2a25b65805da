import type { GoodsAt } from './record-store';
import type { Movement } from './record';

/** The key of every movement. */
const ANY = '*';
/** The key of a movement with goods of an unknown lot. */
const UNKNOWN = '-';

const lotKey = (lot: string): string => `=${lot}`;

/** The keys of a movement for traces that follow goods forwards: its lots, and the lots from which they were made. */
export function departureKeys({ items }: Movement): string[] {
  return toKeys(items.flatMap(({ lot, sourceLots }) => [lot, ...sourceLots]));
}

/** The keys of a movement for traces that follow goods backwards: its lots. */
export function arrivalKeys({ items }: Movement): string[] {
  return toKeys(items.map(({ lot }) => lot));
}

/** The keys that a trace of these goods looks for. */
export function wantedKeys({ lot }: GoodsAt): string[] {
  return lot === null ? [ANY] : [lotKey(lot), UNKNOWN];
}

function toKeys(lots: readonly (string | null)[]): string[] {
  return [ANY, ...new Set(lots.map((lot) => (lot === null ? UNKNOWN : lotKey(lot))))];
}
