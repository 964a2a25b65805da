import type { EarlierTurn } from '../contracts/runs/turns';

/** A place in the line of a session. */
export interface Place {
  readonly workflowId: string;
  /** Epoch milliseconds. Tells places of one run apart. */
  readonly placedAt: number;
  /** More than one request has taken it. */
  readonly shared?: true;
}

/** The turns of a session that may not have ended, the first one first. */
export type Line = readonly Place[];

/** A line as it is kept: the last place, each with the one before it. */
export interface StoredLine extends Place {
  readonly after?: StoredLine;
  /** The line is empty. */
  readonly over?: true;
}

const EMPTY: StoredLine = { workflowId: '', placedAt: 0, over: true };

export function lineOf(stored: StoredLine | undefined): Line {
  const line: Place[] = [];
  for (let last = stored?.over ? undefined : stored; last !== undefined; last = last.after) {
    const { workflowId, placedAt, shared } = last;
    line.unshift({ workflowId, placedAt, shared });
  }
  return line;
}

export function storedLine(line: Line): StoredLine {
  const last = line.reduce<StoredLine | undefined>(
    (after, place) => ({ ...place, ...(after === undefined ? {} : { after }) }),
    undefined,
  );
  return last ?? EMPTY;
}

/** A place as a turn waits for it, with those before it. */
export function turnBehind(before: Line, place: Place): EarlierTurn {
  return behind(before.reduce<EarlierTurn | undefined>(behind, undefined), place);
}

export function withoutPlace(line: Line, index: number): Line {
  return line.filter((_, at) => at !== index);
}

function behind(after: EarlierTurn | undefined, { workflowId, placedAt }: Place): EarlierTurn {
  return { workflowId, placedAt, after };
}
