import { isOnePerson, sameBearer, type Aliases } from './aliases';
import type { Asked } from './asked';
import { relatedness } from './meanings';
import { isRelative } from './persons';
import type { Clause } from './clause';
import type { Passage } from './passages';
import { BE } from './verbs';
import { conceptOf, type Word } from './words';

/** How near a word has to be to stand for somebody whom the question names. */
const MIN_NEAR = 0.85;
const PRONOUNS = new Set(['he', 'she', 'they']);
export const ASKS_WHO = new Set(['person', 'name']);

/** Persons in the subject of a clause whom the question does not name. */
export function strangersIn({ terms }: Asked, { persons }: Clause, aliases: Aliases): readonly string[] {
  const isAsked = (person: string): boolean =>
    terms.some(
      ({ word, isOwner }) =>
        !isOwner &&
        (conceptOf(word) === conceptOf(person) ||
          relatedness(word, person) >= MIN_NEAR ||
          sameBearer(aliases, word, person)),
    );
  const asked = persons.filter(isAsked);
  return persons.filter(
    (person) =>
      person !== 'they' && !isAsked(person) && !asked.some((other) => isOnePerson(aliases, person, other)),
  );
}

/** Whether a clause may tell of whom the question asks for. */
export function fitsSubject(
  question: Asked,
  clause: Clause,
  passage: Passage,
  strangers: readonly string[],
): boolean {
  if (isOwnedByOther(question, passage.words)) return false;
  const { words, speaker, verb } = clause;
  const isSameVerb =
    verb !== undefined && question.verb !== undefined && conceptOf(verb) === conceptOf(question.verb);
  // `does Mia owe me` is not answered by `I owe Mia`, nor the other way round.
  if (speaker !== 'other') return !(question.toUser && isSameVerb && speaker === 'user');
  const hasMe = words.some(({ lower }) => lower === 'me' || lower === 'us');
  if (strangers.length === 0) return true;
  if (question.want === 'whether') return false;
  // `his wife is called Jutta` names the wife.
  if (question.want === 'name' && strangers.some(isRelative) && words.some(({ lower }) => BE.has(lower)))
    return false;
  if (ASKS_WHO.has(question.want) || (hasMe && !strangers.some((one) => PRONOUNS.has(one)))) return true;
  if (question.ofUser || question.terms.some(({ required }) => required)) return false;
  return question.mine.every((noun) => isMine(noun, words));
}

function isMine(noun: string, words: readonly Word[]): boolean {
  return words.some(
    ({ lower }, at) =>
      conceptOf(lower) === conceptOf(noun) &&
      words.slice(Math.max(0, at - 3), at).some(({ lower: one }) => /^(?:my|our|the)$/.test(one)),
  );
}

/** The question is about `my house`, and the passage about `my aunt's house`, or `his`. */
function isOwnedByOther({ mine, terms }: Asked, words: readonly Word[]): boolean {
  return mine.some((noun) => {
    const places = words.flatMap(({ lower }, at) => (conceptOf(lower) === conceptOf(noun) ? [at] : []));
    const isOther = (at: number): boolean => {
      const before = words.slice(Math.max(0, at - 3), at).map(({ lower }) => lower);
      const owner = before.lastIndexOf("'s");
      if (owner > 0) return !terms.some(({ word }) => conceptOf(word) === conceptOf(before[owner - 1] ?? ''));
      return ['his', 'her', 'their'].some((one) => before.includes(one));
    };
    return places.length > 0 && places.every(isOther);
  });
}
