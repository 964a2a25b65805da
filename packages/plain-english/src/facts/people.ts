import { conceptOf, type Word } from '../recall/words';
import { isCalendarWord } from '../text/temporal';
import { isCapital } from './mentions';
import { type Clause, HELPER } from './segments';
import { isCommonNoun, isPersonNoun } from './topics';
import { ARTICLES, FILLERS, NO_NOUN, PREPOSITIONS, REPORTS, SERVICES, TITLES } from './words';

export const USER = 'user';
/** Somebody of whom nothing is known. */
export const UNKNOWN = '';

/** Whom the clauses of a message are about, as it is read from its start to its end. */
export interface Context {
  /** Subjects of known facts. */
  readonly subjects: string[];
  /** Concepts of the words of known values, and whose values they are. */
  readonly values: ReadonlyMap<string, string>;
  /** Who `he` and `she` are. */
  person: string;
  last: string;
  /** Who says what the sentence reports. */
  reporter?: string | undefined;
  sentence: number;
}

/** Whom a clause is about: the user, or somebody whom it names. */
export function subjectOf(clause: Clause, context: Context): string {
  if (context.sentence !== clause.sentence) context.reporter = undefined;
  const goesOn = context.sentence === clause.sentence;
  context.sentence = clause.sentence;
  const found = subjectIn(clause, context, goesOn);
  const subject = found === USER || found === UNKNOWN ? found : resolve(found, context);
  if (REPORTS.test(clause.text) && subject !== USER) context.reporter = subject;
  if (subject !== USER && subject !== UNKNOWN) context.person = subject;
  context.last = subject;
  return subject;
}

function subjectIn({ words, lowers, text, verb }: Clause, context: Context, goesOn: boolean): string {
  const according = / according to (.+?) (?:the|my|his|her|it|only|,) /.exec(text)?.[1];
  if (according !== undefined) return nameOf(according.split(' '));
  const [head, rest] = [lowers.slice(0, verb), lowers.slice(verb)];
  const first = head[0] ?? '';
  if (head.some((lower) => /^(?:i|we|mine)$/.test(lower))) return USER;
  if (head.length === 0) return goesOn ? context.last : USER;
  if (/^(?:they|them)$/.test(first)) return context.last === UNKNOWN ? USER : context.last;
  const he = context.reporter ?? (context.person === UNKNOWN ? USER : context.person);
  if (head.some((lower) => /^(?:he|she|hers)$/.test(lower))) return he;
  const relative = /^(?:his|her)$/.test(first) && head.some(isPersonNoun);
  if (/^(?:his|her)$/.test(first) && !relative) return he;
  const named = nameOf(head);
  const known = context.subjects.find((subject) => subject === named || isMainWord(named, subject));
  const owner = known ?? (first === 'it' ? undefined : ownerIn(words, verb)) ?? ownerOfValue(head, context);
  if (owner !== undefined) return owner;
  const object = context.subjects.find((subject) =>
    rest.some((word, at) => at > 0 && isMainWord(word, subject)),
  );
  if (
    object !== undefined &&
    !context.subjects.some((subject) => head.some((word) => isMainWord(word, subject)))
  )
    return object;
  if (rest.length === 0)
    return (
      context.reporter ??
      context.subjects.find((subject) => head.some((word) => isMainWord(word, subject))) ??
      USER
    );
  return (
    personIn(words, verb, context, text) ?? (/^(?:my|our)$/.test(first) ? USER : (context.reporter ?? USER))
  );
}

function isMainWord(word: string, subject: string): boolean {
  return (
    word.length > 2 && subject.split(' ').includes(word) && !isPersonNoun(word) && !PREPOSITIONS.has(word)
  );
}

/** The brother of `my brother's Tacoma`, before the verb or after it. */
function ownerIn(words: readonly Word[], verb: number): string | undefined {
  const at = words.findIndex(({ lower }, place) => lower === "'s" && place > 0 && place !== verb);
  if (
    at < 1 ||
    isCapital(words[at + 1]) ||
    words[at + 1]?.token.kind !== 'word' ||
    HELPER.test(words[at + 1]?.lower ?? '')
  )
    return undefined;
  let from = at;
  while (from > 0 && at - from < 3 && isOwner(words, from - 1)) from--;
  const named = nameOf(words.slice(from, at).map(({ lower }) => lower));
  if (SERVICES.has(named) && !/^(?:my|our)$/.test(words[from]?.lower ?? '')) return undefined;
  return from < at && named !== '' ? named : undefined;
}

function isOwner(words: readonly Word[], at: number): boolean {
  const word = words[at];
  if (!word) return false;
  return (
    /^(?:my|our)$/.test(word.lower) ||
    isPersonNoun(word.lower) ||
    (isCapital(word) && isName(word, at) && words[at + 1]?.lower !== 'st' && !isPlace(words, at))
  );
}

/** True for a capital after a preposition: `at St Wilfrid's`. */
function isPlace(words: readonly Word[], at: number): boolean {
  const before = words[at - 1];
  return (
    before !== undefined &&
    (/^(?:at|in|to|from|near|of|st|the)$/.test(before.lower) || (isCapital(before) && at > 1))
  );
}

/** Whose known value the words before a verb are. */
function ownerOfValue(head: readonly string[], { values }: Context): string | undefined {
  const named = nameOf(head)
    .split(' ')
    .filter((word) => word !== '' && !TITLES.has(word));
  const owners = named.map((word) => values.get(conceptOf(word)));
  return owners.length > 0 && !owners.includes(undefined) ? owners[0] : undefined;
}

/** The person whom the words before a verb name, unless the sentence says who holds that role for the user. */
function personIn(words: readonly Word[], verb: number, context: Context, text: string): string | undefined {
  const head = words.slice(0, verb);
  const rest = words.slice(verb).map(({ lower }) => lower);
  const lowers = head.map(({ lower }) => lower);
  const name = nameOf(lowers);
  if (name === '' || /^(?:there|it)$/.test(lowers[0] ?? '')) return undefined;
  if (context.subjects.some((subject) => fits(name, subject))) return name;
  const hasName = head.some(
    (word, at) =>
      isName(word, at) &&
      (at > 0 || isCapital(head[1]) || head[1]?.lower === 'from' || !isCommonNoun(word.lower)),
  );
  const last = lowers.findLast((lower) => /^\p{L}/u.test(lower) && !NO_NOUN.has(lower)) ?? '';
  const isOneOf = /^(?:an?|the|my|our) .*\b(?:at|from|in|next|downstairs|upstairs|of)\b/.test(
    lowers.join(' '),
  );
  const isRole = lowers.some(isPersonNoun) && (isPersonNoun(last) || hasName || isOneOf);
  if (!isRole && !hasName) return undefined;
  if (
    !hasName &&
    lowers.some(
      (lower) => SERVICES.has(lower) || /(?:log|erg|then|pth|rap|harmac|pec)ist$|ologist$/.test(lower),
    )
  )
    return undefined;
  const tellsName =
    /^(?:is|'s|was) (?:called |named |now |an? )*/.test(`${rest.join(' ')} `) &&
    (/ (?:called|named) | (?:mr|mrs|ms|dr) /.test(text) || namesRole(words, verb));
  if (!hasName && tellsName) return undefined;
  const isAboutUser =
    !isRole &&
    !REPORTS.test(text) &&
    rest.some(
      (lower, at) => /^(?:me|us|my|our|mine)$/.test(lower) && !/^(?:with|for|to)$/.test(rest[at - 1] ?? ''),
    );
  return isAboutUser ? undefined : name;
}

/** `My flatmate is Priya`, but not `my flatmate is Polish`. */
function namesRole(words: readonly Word[], verb: number): boolean {
  const next = words[verb + 1];
  const isNation = /(?:ish|ian|ese|tch|ean|can|man|ch|i)$/.test(next?.lower ?? '');
  return words[0]?.lower === 'my' && isCapital(next) && !isNation && verb + 2 >= words.length - 1;
}

function isName({ token, lower }: Word, at: number): boolean {
  if (
    token.kind !== 'word' ||
    !/^\p{Lu}\p{Ll}+/u.test(token.text) ||
    NO_NOUN.has(lower) ||
    ARTICLES.has(lower)
  )
    return false;
  if (
    isCalendarWord(lower) ||
    /^(?:january|february|march|april|june|july|august|september|october|november|december)$/.test(lower)
  )
    return false;
  return at > 0 || !(/(?:ed|ing|ly)$/.test(lower) || FILLERS.has(lower));
}

/** The words that tell one person from another: the sister and the name of `my sister Ola`. */
export function nameOf(lowers: readonly string[]): string {
  const isPart = (lower: string): boolean =>
    /^\p{L}/u.test(lower) && !ARTICLES.has(lower) && !PREPOSITIONS.has(lower) && !NO_NOUN.has(lower);
  return lowers
    .filter((lower) => isPart(lower) && !/^(?:yes|other|always|his|her)$/.test(lower))
    .slice(0, 5)
    .join(' ');
}

/** The known subject that a name means, or the name as a new one. */
export function resolve(name: string, { subjects }: Pick<Context, 'subjects'>): string {
  const shared = (subject: string): number =>
    subject.split(' ').filter((word) => name.split(' ').includes(word)).length;
  const [best] = subjects
    .filter((subject) => fits(name, subject))
    .sort((one, other) => shared(other) - shared(one));
  if (best === undefined) subjects.unshift(name);
  return best ?? name;
}

function fits(name: string, subject: string): boolean {
  const [one, other] = [name.split(' '), subject.split(' ')];
  return one.every((word) => other.includes(word)) || other.every((word) => one.includes(word));
}
