import { type Context, subjectOf, UNKNOWN, USER } from './people';
import { type Clause, clausesOf } from './segments';
import type { Claim, ClaimProblem, ReadClaim } from './types';
import { NEGATED, REPORTS, UNREAL } from './words';

/** Words that make the rest of their sentence unreal too. */
const SUPPOSED = / (?:if|unless|suppose|supposing|imagine|pretend|hypothetically|wish|would) /;
/** Words right before a value that deny it alone. */
const DENIES =
  /(?:\b(?:not|never|no longer|rather than|instead of)|n't)\s+(?:(?:an?|the|my|our|in|at|to|for|from)\s+)*$/i;

interface Read {
  readonly clause: Clause;
  readonly subject: string;
}

/**
 * Reads the clause in which somebody finds a fact: whether it states it, of whom the fact is said to be about.
 * @returns undefined where the message is too long for the rules to read that part
 */
export function readClaim(message: string, claim: Claim): ReadClaim | undefined {
  const context: Context = { subjects: [], values: new Map(), person: UNKNOWN, last: USER, sentence: -1 };
  const all = clausesOf(message).map((clause) => ({ clause, subject: subjectOf(clause, context) }));
  const own = all.filter(({ clause }) => clause.start < claim.end && clause.end > claim.start);
  const [first, last] = [own[0], own.at(-1)];
  if (!first || !last) return undefined;
  const place = { start: first.clause.start, end: last.clause.end };
  for (const read of own) {
    const problem = problemOf(message, claim, read, all);
    if (problem !== undefined) return { ...place, problem };
  }
  return place;
}

function problemOf(
  message: string,
  claim: Claim,
  { clause, subject }: Read,
  all: readonly Read[],
): ClaimProblem | undefined {
  const { text, start, sentence } = clause;
  const beside = all.filter((other) => other.clause.sentence === sentence);
  if (clause.asks) return 'asked';
  if (UNREAL.test(withoutMonth(clause)) || beside.some((other) => SUPPOSED.test(other.clause.text)))
    return 'unreal';
  const lead = message.slice(start, Math.max(start, claim.start));
  if (!claim.ends && (NEGATED.test(text) || DENIES.test(lead))) return 'denied';
  if (claim.subject !== USER) return undefined;
  const isReported = beside.some((other) => isSaidByOther(other));
  return subject !== USER || isReported ? 'reported' : undefined;
}

/** `Tom says I live in Leeds`, but not `I said I live in Leeds`. */
function isSaidByOther({ clause: { text }, subject }: Read): boolean {
  const found = REPORTS.exec(text);
  if (found === null) return false;
  const speaker = `${text.slice(0, found.index)} `;
  return subject !== USER || (speaker.trim() !== '' && !/ (?:i|we) /.test(speaker));
}

/** The words of a clause without the month of May, which is no `may`. */
function withoutMonth({ words, text }: Clause): string {
  const isMonth = words.some(({ token }, at) => at > 0 && token.text === 'May');
  return isMonth ? text.replaceAll(' may ', ' ') : text;
}
