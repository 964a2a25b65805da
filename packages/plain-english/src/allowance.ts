/*
 * How much work one reading may do. Work is counted and not timed, so that the same text is always read, or refused, in the same
 * way: on a busy machine, with full or empty caches, and when a workflow is replayed.
 */

/** The work of one reading, in units of about a microsecond of CPU. */
export const ALLOWANCE = 150_000;

/** Ends a reading that has used up its allowance. No rule catches it; the face of the package turns it into what its caller is given. */
export class AllowanceSpent extends Error {
  constructor() {
    super('The text asks for more work than the rules do.');
  }
}

interface Reading {
  spent: number;
  isOver: boolean;
}

/** The reading under way. Readings are synchronous, so there is one at a time. */
let current: Reading | undefined;

/**
 * Counts work of the reading under way. Rules count before they do it, and without regard to what caches know.
 * @throws AllowanceSpent if the reading has done more than it may
 */
export function spend(units: number): void {
  if (current === undefined) return;
  current.isOver ||= current.spent + units > ALLOWANCE;
  if (current.isOver) throw new AllowanceSpent();
  current.spent += units;
}

/** What a reading came to, and the work that it took. */
export interface Measured<T> {
  /** Absent if the allowance did not suffice. */
  readonly result?: { readonly value: T };
  readonly spent: number;
}

/** Reads within an allowance; a reading within another shares its allowance. @throws what `read` throws, but AllowanceSpent */
export function measureReading<T>(read: () => T): Measured<T> {
  const outer = current;
  const reading: Reading = outer ?? { spent: 0, isOver: false };
  current = reading;
  try {
    const value = read();
    // A rule that tries one reading after another may have taken the end of the allowance for the end of one of them.
    return reading.isOver ? { spent: reading.spent } : { result: { value }, spent: reading.spent };
  } catch (error) {
    if (reading.isOver) return { spent: reading.spent };
    throw error;
  } finally {
    current = outer;
  }
}
