import { type Clause, clausesOf } from './clauses';
import type { Claim, ClaimProblem, ReadClaim } from './facts';
import { isIn, WORDING } from './lexicon';

/**
 * Reads the clause in which somebody finds a fact: whether it is stated, and of whom.
 * @returns undefined if the message is too long for the rules to read that part
 */
export function readClaim(message: string, claim: Claim): ReadClaim | undefined {
  const clauses = clausesOf(message).filter(({ start, end }) => start < claim.end && end > claim.start);
  const [first, last] = [clauses[0], clauses.at(-1)];
  if (!first || !last) return undefined;
  const problem = clauses.map((clause) => problemOf(message, claim, clause)).find((one) => one !== undefined);
  return { start: first.start, end: last.end, problem };
}

function problemOf(
  message: string,
  claim: Claim,
  { text, start, asks, unreal, reported }: Clause,
): ClaimProblem | undefined {
  if (asks) return 'asked';
  if (unreal) return 'unreal';
  const isDenied =
    WORDING.claimNegated.test(text) ||
    WORDING.denies.test(message.slice(start, Math.max(start, claim.start)));
  if (!claim.ends && isDenied) return 'denied';
  if (claim.ends && !isDenied && !WORDING.claimEnded.test(text)) return 'unended';
  if (claim.subject !== 'user') return undefined;
  return reported || isOfOther(text) ? 'reported' : undefined;
}

/** `My sister lives in Leeds` is about her, and `My dentist is Dr. Costa` is about the user. */
function isOfOther(text: string): boolean {
  if (WORDING.otherSubject.test(text)) return true;
  const [, noun = '', verb = '', called, next = ''] = WORDING.person.exec(text) ?? [];
  if (!isIn('persons', noun) && !isIn('pets', noun)) return false;
  return !(/^(?:is|was)$/i.test(verb) && (called !== undefined || /^\p{Lu}/u.test(next)));
}
