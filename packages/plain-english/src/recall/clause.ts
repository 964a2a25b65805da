import { splitClauses } from './clauses';
import { isFiniteVerb } from './finite';
import { bare } from './questions';
import { isNameWord, isPersonNoun, isRelative } from './persons';
import { tasteOf, type Taste } from './taste';
import { ADVERBS, AUXILIARIES, BE } from './verbs';
import { isKnownWord } from './wordnet';
import { hasWord, LIGHT, lowerAt, plainText, type Word } from './words';

/** A part of a sentence with its own subject and verb, as far as these are found. */
export interface Clause {
  readonly words: readonly Word[];
  readonly speaker: 'user' | 'other' | 'elided';
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
  const text = plainText(words);
  const verbAt = finiteAt(words);
  const lead = leadOf(words);
  const clause: Clause = {
    words,
    speaker: 'other',
    persons: [],
    taken: [],
    verb: mainVerb(words, verbAt),
    negated: words.some(({ lower }) => NEGATIONS.has(lower)),
    ended: ENDED.test(text),
    closes: CLOSING.test(text),
    open: isConditional ? 'if' : OPEN.exec(text.replaceAll(MONTH, '').replaceAll('would rather', ''))?.[0],
    taste: tasteOf(words),
  };
  if (hasWord(lead, 'i', 'we')) return { ...clause, speaker: 'user' };
  if (lead.length === 0) {
    if (!before || before.speaker === 'elided' || verbAt !== 0) return { ...clause, speaker: 'elided' };
    const { speaker, persons, taken, words: said } = before;
    return { ...clause, speaker, persons, taken: taken.length > 0 ? taken : leadOf(said) };
  }
  const pronounAt = lead.findIndex(({ lower }) => PRONOUNS.has(lower));
  const pronoun = lowerAt(lead, pronounAt);
  if (pronoun === '') return { ...clause, persons: personsIn(lead) };
  const owned = POSSESSIVES.has(pronoun) ? lead.slice(pronounAt + 1).filter(isSomebody) : [];
  return {
    ...clause,
    persons: owned.length > 0 ? owned.map(({ lower }) => lower) : personsOf(words, verbAt, known, pronoun),
  };
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
      const isName = isNameWord(lead, at) && !PLACING.has(lowerAt(lead, at - 1));
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
  const isNaming = BE.has(lowerAt(words, verbAt)) || lowerAt(words, verbAt) === "'s";
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

const finiteAt = (words: readonly Word[]): number => words.findIndex((_, at) => isFiniteVerb(words, at));

/** The words before the verb. */
const leadOf = (words: readonly Word[]): readonly Word[] => words.slice(0, Math.max(0, finiteAt(words)));
