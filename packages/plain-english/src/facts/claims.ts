import { type Context, subjectOf, UNKNOWN, USER } from './people';
import { type Clause, clausesOf } from './segments';
import type { Claim, ClaimProblem, ReadClaim } from './types';
import { ENDED, NEGATED, REPORTS, UNREAL } from './words';

/** Words that make the rest of their sentence unreal too. */
const SUPPOSED = / (?:if|unless|suppose|supposing|imagine|pretend|hypothetically|wish|would) /;
/** Words anywhere in a clause that deny it, and are no denial for the rules that read facts. */
const CANNOT = / can not /;
/** Words right before a value that deny it alone. */
const DENIES =
  /(?:\b(?:not|never|no|no longer|without|rather than|instead of)|n['’]t)\s+(?:(?:an?|any|the|my|our|in|at|to|for|from)\s+)*$/i;
/** Words of a clause that ends something, beside those that the rules know. */
const LEAVES = / (?:until|till|(?:moved|moving|switched|changed|transferred|swapped) (?:\S+ ){0,3}from) /;

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
  const isDenied = NEGATED.test(text) || CANNOT.test(text) || DENIES.test(lead);
  if (!claim.ends && isDenied) return 'denied';
  if (claim.ends && !isDenied && !ENDED.test(text) && !LEAVES.test(text)) return 'unended';
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
