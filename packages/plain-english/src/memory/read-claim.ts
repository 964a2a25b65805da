import { type Clause, clausesOf } from './clauses';
import type { Claim, ClaimProblem, ReadClaim } from './facts';
import { isIn } from './lexicon';

const NEGATED =
  /\b(?:not|never|no longer|nobody|neither|hardly|(?:have|has|got|is|are|own|owns|had) no|without|no more|nor)\b/i;
/** Words right before a value that deny it alone. */
const DENIES =
  /(?:\b(?:not|never|no|no longer|without|rather than|instead of)|n['’]t)\s+(?:(?:an?|any|the|my|our|in|at|to|for|from)\s+)*$/i;
const ENDED =
  /\b(?:left|leaves|leaving|quit|sold|stopped|ended|ends|over|cancelled|canceled|gave up|given up|no more|any ?more|any longer|used to|former|died|passed away|divorced|lost|resigned|retired|fired|laid off|dropped|ditched|closed|until|till|expired|finished|gone|got rid|broke up|split up|outgrew|replaced|swapped|switched|instead of|rather than|(?:moved|moving|changed|transferred) (?:\S+ ){0,3}from)\b/i;
const OTHER_SUBJECT =
  /^(?:he|she|they|you|his|her|their|your|it)\b|^(?!I\b|My\b|Our\b|We\b)\p{Lu}\p{Ll}+ (?:lives|works|is|was|has|likes|loves|moved|speaks|plays|drives|says|prefers|owns|hates)\b/u;
const PERSON =
  /^(?:my|our) (?:\p{L}+ )??(\p{L}+)(?: \p{Lu}\p{L}+)? (is|was|has|lives|works|likes|loves|moved|speaks|plays|drives|prefers|owns|hates|got|bought)\b(?: (called|named))?\s*(\S*)/iu;

/**
 * Reads the clause in which somebody finds a fact: whether it is stated, and of whom.
 * @returns undefined where the message is too long for the rules to read that part
 */
export function readClaim(message: string, claim: Claim): ReadClaim | undefined {
  const own = clausesOf(message).filter(({ start, end }) => start < claim.end && end > claim.start);
  const [first, last] = [own[0], own.at(-1)];
  if (!first || !last) return undefined;
  const place = { start: first.start, end: last.end };
  for (const clause of own) {
    const problem = problemOf(message, claim, clause);
    if (problem !== undefined) return { ...place, problem };
  }
  return place;
}

function problemOf(
  message: string,
  claim: Claim,
  { text, start, asks, unreal, reported }: Clause,
): ClaimProblem | undefined {
  if (asks) return 'asked';
  if (unreal) return 'unreal';
  const isDenied = NEGATED.test(text) || DENIES.test(message.slice(start, Math.max(start, claim.start)));
  if (!claim.ends && isDenied) return 'denied';
  if (claim.ends && !isDenied && !ENDED.test(text)) return 'unended';
  if (claim.subject !== 'user') return undefined;
  return reported || isOfOther(text) ? 'reported' : undefined;
}

/** `My sister lives in Leeds` is about her, and `My dentist is Dr. Costa` is about the user. */
function isOfOther(text: string): boolean {
  if (OTHER_SUBJECT.test(text)) return true;
  const [, noun = '', verb = '', called, next = ''] = PERSON.exec(text) ?? [];
  if (!isIn('persons', noun) && !isIn('pets', noun)) return false;
  return !(/^(?:is|was)$/i.test(verb) && (called !== undefined || /^\p{Lu}/u.test(next)));
}
