import { splitClauses } from './clauses';
import { isFiniteVerb } from './finite';
import { bare } from './leads';
import { isNameWord, isPersonNoun, isRelative } from './persons';
import { tasteOf, type Taste } from './taste';
import { ADVERBS, AUXILIARIES, BE } from './verbs';
import { isKnownWord } from './wordnet';
import { LIGHT, type Word } from './words';

/** A part of a sentence with its own subject and verb, as far as these are found. */
export interface Clause {
  readonly words: readonly Word[];
  readonly speaker: 'user' | 'other' | 'elided';
  /** The words before the verb, where they are not the user. */
  readonly subject: readonly Word[];
  readonly verb: string | undefined;
  /** Words of the subject that name somebody. */
  readonly persons: readonly string[];
  /** The subject that it shares with the clause before, where it has none of its own. */
  readonly taken: readonly Word[];
  readonly negated: boolean;
  /** Was so and is no more: `used to`. */
  readonly ended: boolean;
  /** Ends something: `I sold the car`. */
  readonly closes: boolean;
  /** The word that makes it no fact: perhaps, hoped, planned under a condition. */
  readonly open: string | undefined;
  readonly taste: Taste | undefined;
}

/** A month is no permission. */
const MONTH = /(?:\d|(?:in|on|of|until|by|since|from|is|last|next)) may\b|\bmay (?:\d|is\b)/g;

const PRONOUNS = new Set(['he', 'she', 'they', 'his', 'her', 'their']);
const POSSESSIVES = new Set(['his', 'her', 'their']);
const PLACING = new Set(['to', 'in', 'at', 'from', 'on', 'near']);
const NEGATIONS = new Set('not never no hardly neither nor without none nobody nothing cannot'.split(' '));
const OPEN =
  /\b(?:if|wish|might|may (?=[a-z])(?!is )|maybe|perhaps|hope|hopes|hoping|hoped|wonder|whether|supposedly|rumou?r|thinking (?:about|of)|nearly|almost|not sure|should|want to|wants to|wanted to|planning to|would|could|applied|promised|promise|i thought|read that|heard that|why|where to|remind me|dream of|let us|considering|looked at|looking at|supposed to|(?:was|were) going to|invited me)\b/;
const ENDED =
  /(?:^|\b(?:my|our|the) )(?:old|former|previous) (?:\S+ ){1,4}(?:was|were)\b|\b(?:before that|previously|formerly|used to|no longer|any ?more|any longer|no more)\b/;
const CLOSING =
  /\b(?:stopped|quit|(?<!am |is |are )retired|resigned|(?<!i )left(?= ?$)|given up|gave up|sold|cancelled|canceled|lost|dropped out|split up|got rid of|handed in|scrapped|turned (?:me|us|him|her|them) down)\b/;

/** The clauses of a sentence; `persons` are those whom a pronoun may stand for. */
export function readClauses(words: readonly Word[], persons: readonly string[]): Clause[] {
  let last: Clause | undefined;
  let known = persons;
  return splitClauses(words).map((clause) => {
    last = readClause(bare(clause), last, known, words[0]?.lower === 'if');
    if (last.persons.length > 0) known = last.persons;
    return last;
  });
}

function readClause(
  words: readonly Word[],
  before: Clause | undefined,
  known: readonly string[],
  isConditional: boolean,
): Clause {
  const text = words.map(({ lower }) => lower).join(' ');
  const verbAt = words.findIndex((_, at) => isFiniteVerb(words, at));
  const lead = words.slice(0, Math.max(0, verbAt));
  const shared = {
    words,
    taken: [],
    verb: mainVerb(words, verbAt),
    negated: words.some(({ lower }) => NEGATIONS.has(lower)),
    ended: ENDED.test(text),
    closes: CLOSING.test(text),
    open: isConditional ? 'if' : OPEN.exec(text.replaceAll(MONTH, '').replaceAll('would rather', ''))?.[0],
    taste: tasteOf(words),
  };
  if (lead.some(({ lower }) => lower === 'i' || lower === 'we'))
    return { ...shared, speaker: 'user', subject: [], persons: [] };
  const subject = lead.filter(
    ({ lower, token }) => token.kind !== 'symbol' && lower !== "'s" && !LIGHT.has(lower) && lower !== 'and',
  );
  if (lead.length === 0) {
    if (before && before.speaker !== 'elided' && verbAt === 0)
      return {
        ...shared,
        taken: before.taken.length > 0 ? before.taken : leadOf(before.words),
        speaker: before.speaker,
        subject: before.subject,
        persons: before.persons,
      };
    return { ...shared, speaker: 'elided', subject: [], persons: [] };
  }
  const pronounAt = lead.findIndex(({ lower }) => PRONOUNS.has(lower));
  const pronoun = lead[pronounAt]?.lower ?? '';
  const owned = POSSESSIVES.has(pronoun) ? lead.slice(pronounAt + 1).filter(isSomebody) : [];
  if (owned.length > 0)
    return { ...shared, speaker: 'other', subject, persons: owned.map(({ lower }) => lower) };
  if (pronoun !== '')
    return { ...shared, speaker: 'other', subject, persons: personsOf(words, verbAt, known, pronoun) };
  return { ...shared, speaker: 'other', subject, persons: personsIn(lead) };
}

/** A noun for a person, or a word that is in no dictionary: `her fiancé`. */
function isSomebody(word: Word): boolean {
  return (
    word.token.kind === 'word' && (isPersonNoun(word) || !(LIGHT.has(word.lower) || isKnownWord(word.lower)))
  );
}

/** Whom a subject names: in `my sister's friend`, the friend. */
function personsIn(lead: readonly Word[]): readonly string[] {
  const owner = lead.findLastIndex(({ lower }) => lower === "'s");
  const isPersonHead = lead.slice(owner + 1).some((word) => isPersonNoun(word));
  return lead
    .filter((word, at) => {
      const isName = isNameWord(lead, at) && !PLACING.has(lead[at - 1]?.lower ?? '');
      return (!isPersonHead || at > owner) && (isName || isPersonNoun(word));
    })
    .map(({ lower }) => lower);
}

/** Whom a pronoun stands for: those of before, or whom its own clause names, `she's my sister`, `his name is Omar`. */
function personsOf(
  words: readonly Word[],
  verbAt: number,
  known: readonly string[],
  pronoun: string,
): readonly string[] {
  const isNaming = BE.has(words[verbAt]?.lower ?? '') || words[verbAt]?.lower === "'s";
  const own = isNaming
    ? words.filter(
        ({ lower }, at) =>
          at > verbAt &&
          at < verbAt + 5 &&
          ((at === verbAt + 1 && isNameWord(words, at)) || isRelative(lower)),
      )
    : [];
  const all = [
    ...known,
    ...own.filter(({ lower }) => known.length === 0 || isRelative(lower)).map(({ lower }) => lower),
  ];
  return all.length > 0 ? all : [pronoun];
}

/** The verb that says something, after auxiliaries and adverbs. */
function mainVerb(words: readonly Word[], from: number): string | undefined {
  if (from < 0) return undefined;
  const at = words.findIndex(
    ({ lower }, index) => index >= from && !AUXILIARIES.has(lower) && !ADVERBS.has(lower),
  );
  return words[at]?.lower;
}

function leadOf(words: readonly Word[]): readonly Word[] {
  return words.slice(
    0,
    Math.max(
      0,
      words.findIndex((_, at) => isFiniteVerb(words, at)),
    ),
  );
}
