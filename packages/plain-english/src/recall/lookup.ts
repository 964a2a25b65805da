import type { Aliases } from './aliases';
import type { Asked } from './asked';
import type { Clause } from './clause';
import type { Passage } from './passages';

/** A question, with what is known of those whom it names. */
export interface Lookup {
  readonly question: Asked;
  /** The concepts of its terms. */
  readonly asked: ReadonlySet<string>;
  readonly aliases: Aliases;
}

/** A clause that answers, and how well. */
export interface Found {
  readonly passage: Passage;
  readonly clause: Clause;
  /** What of the passage has what is wanted. */
  readonly extent: 'clause' | 'sentence';
  /** Says that it is not so. */
  readonly denied: boolean;
  readonly score: number;
  /** Has every word of the question itself, and not from what was said before. */
  readonly isWhole: boolean;
  /** A clause beside it is of somebody else. */
  readonly isMixed: boolean;
}
