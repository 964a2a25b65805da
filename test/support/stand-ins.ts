import type { StandIn, StandIns } from '../../src/llm/stand-ins';

/** Notes nothing. */
export const NO_STAND_INS: StandIns = { note: () => undefined, modelAnswered: () => undefined };

/** Keeps what is noted. */
export function keptStandIns(): StandIns & { readonly noted: readonly StandIn[] } {
  const noted: StandIn[] = [];
  return { noted, note: (standIn) => void noted.push(standIn), modelAnswered: () => undefined };
}
