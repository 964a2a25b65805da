import { isIn, WORDING } from './lexicon';

/** Where a person is found, after the name. */
const PLACE_OF_PERSON = /,? (?:on|in|at|near|from|opposite|next to) .+$/;

const wordsOf = (text: string): string[] => text.split(' ');
const isUpper = (word: string): boolean =>
  /^(?:\p{Lu}|\p{N}|[$€£+#])/u.test(word) || /^\p{Ll}\p{Lu}/u.test(word);

/** Takes the article off. */
const bare = (text: string): string => text.replace(/^(?:an?|the) /, '');

/** What is said to be a value. */
interface Said {
  readonly text: string;
  readonly words: readonly string[];
  readonly first: string;
  readonly last: string;
}

/** What words have to be for a value of a kind; any words are one of a kind that is not here. */
const FITS: Readonly<Record<string, (value: Said) => boolean>> = {
  name: ({ text }) => isName(text),
  names: ({ words }) => words.slice(0, 2).some(isUpper),
  proper: ({ words }) => words.slice(0, 2).some(isUpper),
  self: ({ text, words }) =>
    isName(text) && words.length < 4 && words.every((word) => /^\p{Lu}\p{Ll}/u.test(word) && !isNoName(word)),
  // `in Leeds in the holidays` is no home.
  place: ({ text, first }) =>
    !isPreposition(first) &&
    (!isIn('adjectives', first) || isUpper(first)) &&
    !/\d{3}| (?:in the|during|at|every|when) /.test(text),
  street: ({ text }) => /^\d+\p{L}? \p{L}/u.test(text),
  employer: ({ text, first }) => !WORDING.notEmployer.test(text) && !isPreposition(first),
  job: ({ words, first }) => words.length < 6 && !isPreposition(first),
  occupation: ({ words, last }) => words.length < 5 && isOccupation(last) && !words.some(isPreposition),
  taste: ({ first }) => !isPreposition(first) || first.toLowerCase() === 'to',
  demonym: ({ text }) => isIn('demonyms', text),
  diet: ({ text }) => isIn('diets', text),
  number: ({ text }) => /^\d{1,3}$/.test(text),
  date: ({ text }) => WORDING.date.test(text),
  count: ({ text }) => WORDING.count.test(text),
  condition: ({ words, last }) => isIn('conditions', last) && words.length < 4,
  owned: ({ words }) =>
    words.length < 5 && !words.some((word) => isIn('passing', word) || isPreposition(word)),
};
/** Kinds whose values have no article. */
const BARE = new Set(['names', 'proper', 'job', 'occupation', 'owned', 'any']);

/**
 * Reads words as a value of a kind; undefined if they are not one.
 * @param noun what the value is said to be, if the sentence names it
 */
export function toValue(kind: string, value: string, noun = ''): string | undefined {
  const text = value
    .trim()
    .replace(/^["“](.+)["”]$/, '$1')
    .replace(/[,.]+$/, '');
  const words = wordsOf(text);
  const [first = ''] = words;
  if (
    text === '' ||
    words.length > 8 ||
    words.some((word) => isIn('stop', word)) ||
    /[?!;"“”()]/.test(kind === 'my' ? text.replace(/[!?]$/, '') : text) ||
    FITS[kind]?.({ text, words, first, last: words.at(-1) ?? '' }) === false
  )
    return undefined;
  if (kind === 'my') return valueOf(noun, text, words);
  if (kind === 'taste')
    return text.replace(/^(?:a bit of|a little|some|fluent|basic|the (?=\p{Ll}+$)) ?/u, '');
  return BARE.has(kind) ? bare(text) : text;
}

const isPreposition = (word: string): boolean => isIn('prepositions', word);

function isOccupation(word: string): boolean {
  return isIn('occupations', word) || WORDING.occupation.test(` ${word}`);
}

function isName(text: string): boolean {
  return (
    WORDING.name.test(text) &&
    !wordsOf(text).some((word) => isIn('adjectives', word) || isPreposition(word)) &&
    !/'s$/.test(text)
  );
}

function isNoName(word: string): boolean {
  return isIn('noNames', word) || isIn('demonyms', word) || isIn('occupations', word);
}

/** The value that is said of `my noun`: of a person a name, of other things a name, a number or, if they have such values, any word. */
function valueOf(noun: string, text: string, words: readonly string[]): string | undefined {
  const last = noun.split(' ').at(-1) ?? '';
  const [first = ''] = words;
  if (last === 'car' && isColoured(words)) return bare(text);
  if (isIn('adjectives', first) || isPreposition(first) || /[!?]\S/.test(text)) return undefined;
  if (last === 'birthday') return WORDING.date.test(text) ? text : undefined;
  if (isIn('persons', last) || isIn('pets', last)) {
    const name = text.replace(PLACE_OF_PERSON, '');
    const isPerson =
      isName(name) && wordsOf(name).every((word) => isUpper(word) || isIn('nameParticles', word));
    return isPerson && !wordsOf(name).some(isNoName) ? name : undefined;
  }
  if (isIn('valued', last) || noun.startsWith('favourite '))
    return /^(?:an?|the) /i.test(text) && isIn('adjectives', words[1] ?? '') && !isColoured(words)
      ? undefined
      : bare(text);
  const parts = wordsOf(bare(text));
  return parts.some(isUpper) && !(parts.length === 1 && isNoName(text)) ? bare(text) : undefined;
}

/** `a grey estate` says what it is, `a bit slow` how it is. */
function isColoured(words: readonly string[]): boolean {
  return words.length > 2 && isIn('colours', words[1] ?? '');
}
