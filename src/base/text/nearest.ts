export interface Nearest {
  readonly name: string;
  /** Whether the written name is most likely a misspelt one of this name, and no other word. */
  readonly isLikely: boolean;
}

/** A longer name is no name that somebody mistyped, and comparing it would take long, characters. */
const MAX_LENGTH = 64;
/** Shorter names are parts of too many others. */
const MIN_PART = 4;
/** The share of letters that may differ for a name to be worth a mention. */
const TOLERANCE = 0.4;

/** Writes a name without case, without the marks between its words and in the singular, so that `user_ids` is `userId`. Pure. */
export function plainName(name: string): string {
  return name.toLowerCase().replaceAll(/[_-]/g, '').replace(/ies$/, 'y').replace(/s$/, '');
}

/** Finds the known name that a written one is most like; undefined if it is like none. Pure. */
export function findNearest(written: string, known: readonly string[]): Nearest | undefined {
  if (written.length > MAX_LENGTH) return undefined;
  const name = plainName(written);
  const rated = known.map((candidate) => {
    const wanted = plainName(candidate);
    return {
      name: candidate,
      length: wanted.length,
      isPart: isPart(name, wanted),
      away: editDistance(name, wanted),
    };
  });
  const [closest] = rated.sort((one, other) => one.away - other.away);
  if (closest !== undefined && closest.away <= Math.floor(closest.length * TOLERANCE))
    return { name: closest.name, isLikely: closest.away <= slips(closest.length) };
  const part = rated.find((each) => each.isPart);
  return part === undefined ? undefined : { name: part.name, isLikely: false };
}

/** How many slips of the keyboard a name may have, and be that name still: short ones turn into other words too easily. */
function slips(length: number): number {
  if (length < MIN_PART) return 0;
  return length < 8 ? 1 : 2;
}

function isPart(one: string, other: string): boolean {
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  return short.length >= MIN_PART && long.includes(short);
}

/**
 * The fewest letters that are added, left out, replaced or swapped with their neighbour to make one word of the other
 * (Damerau-Levenshtein distance by optimal string alignment). Pure.
 */
export function editDistance(one: string, other: string): number {
  let [beforeLast, last]: number[][] = [[], Array.from({ length: other.length + 1 }, (_, column) => column)];
  for (let row = 1; row <= one.length; row++) {
    const current = [row];
    for (let column = 1; column <= other.length; column++) {
      const isSame = one[row - 1] === other[column - 1];
      const isSwapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      current[column] = Math.min(
        at(last, column) + 1,
        at(current, column - 1) + 1,
        at(last, column - 1) + (isSame ? 0 : 1),
        isSwapped ? at(beforeLast, column - 2) + 1 : Infinity,
      );
    }
    [beforeLast, last] = [last, current];
  }
  return at(last, other.length);
}

function at(row: readonly number[] | undefined, column: number): number {
  return row?.[column] ?? Infinity;
}
