import { isIn } from './lexicon';

const COUNT = /^(?:\d{1,3}|two|three|four|five|six|seven|eight|nine|ten|several|twin)$/i;
const DATE =
  /^(?:\d{1,4}[./-]\d{1,2}(?:[./-]\d{1,4})?|(?:\d{1,2}(?:st|nd|rd|th)?(?: of)? )?(?:january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)(?: \d{1,2}(?:st|nd|rd|th)?)?,?(?: \d{4})?)$/i;
const NAME = /^(?:(?:Dr|Mr|Mrs|Ms|Prof|St)\.? )?[\p{L}][\p{L}\p{M}'’.-]*(?: [\p{L}][\p{L}\p{M}'’.-]*){0,4}$/u;
const PREPOSITION =
  /^(?:at|in|on|to|for|from|with|by|of|about|under|over|near|behind|like|as|after|before|out|up|down|off|around|next|late|until|since)$/i;
/** Where a person is found, after the name. */
const PLACE_OF_PERSON = /,? (?:on|in|at|near|from|opposite|next to) .+$/;

const wordsOf = (text: string): string[] => text.split(' ');
const isUpper = (word: string): boolean =>
  /^(?:\p{Lu}|\p{N}|[$€£+#])/u.test(word) || /^\p{Ll}\p{Lu}/u.test(word);

/** Takes the article off. */
const bare = (text: string): string => text.replace(/^(?:an?|the) /, '');

/** Reads words as a value of a kind; undefined where they are none. @param noun what the value is said to be, where the sentence names it */
export function toValue(kind: string, said: string, noun = ''): string | undefined {
  const text = said
    .trim()
    .replace(/^["“](.+)["”]$/, '$1')
    .replace(/[,.]+$/, '');
  const words = wordsOf(text);
  const [first = ''] = words;
  if (
    text === '' ||
    words.length > 8 ||
    words.some((word) => isIn('stop', word)) ||
    /[?!;"“”()]/.test(kind === 'my' ? text.replace(/[!?]$/, '') : text)
  )
    return undefined;
  switch (kind) {
    case 'name':
      return isName(text) ? text : undefined;
    case 'names':
    case 'proper':
      return isUpper(first) || isUpper(words[1] ?? '') ? bare(text) : undefined;
    case 'self':
      return isName(text) &&
        words.length < 4 &&
        words.every((word) => /^\p{Lu}\p{Ll}/u.test(word)) &&
        !words.some(isNoName)
        ? text
        : undefined;
    case 'place':
      // `in Leeds in the holidays` is no home.
      return PREPOSITION.test(first) ||
        (isIn('adjectives', first) && !isUpper(first)) ||
        /\d{3}| (?:in the|during|at|every|when) /.test(text)
        ? undefined
        : text;
    case 'street':
      return /^\d+\p{L}? \p{L}/u.test(text) ? text : undefined;
    case 'employer':
      return /^(?:home|nights?|weekends?|free|myself|least|all|once|the moment|the weekends?|a desk|present|last|first)$/i.test(
        text,
      ) || PREPOSITION.test(first)
        ? undefined
        : text;
    case 'job':
      return words.length < 6 && !PREPOSITION.test(first) ? bare(text) : undefined;
    case 'occupation':
      return words.length < 5 &&
        isOccupation(words.at(-1) ?? '') &&
        !words.some((word) => PREPOSITION.test(word))
        ? bare(text)
        : undefined;
    case 'taste':
      return PREPOSITION.test(first) && first.toLowerCase() !== 'to'
        ? undefined
        : text.replace(/^(?:a bit of|a little|some|fluent|basic|the (?=\p{Ll}+$)) ?/u, '');
    case 'demonym':
      return words.length === 1 && isIn('demonyms', text) ? text : undefined;
    case 'diet':
      return words.length === 1 && isIn('diets', text) ? text : undefined;
    case 'number':
      return /^\d{1,3}$/.test(text) ? text : undefined;
    case 'date':
      return DATE.test(text) ? text : undefined;
    case 'count':
      return COUNT.test(text) ? text : undefined;
    case 'condition':
      return isIn('conditions', words.at(-1) ?? '') && words.length < 4 ? text : undefined;
    case 'owned':
      return words.length < 5 && !words.some((word) => isIn('passing', word) || PREPOSITION.test(word))
        ? bare(text)
        : undefined;
    case 'my':
      return valueOf(noun, text, words);
    default:
      return bare(text);
  }
}

/** By its ending, where a word that ends so is what somebody works as. */
const OCCUPATION =
  /.(?:ologist|ician|engineer|keeper|maker|worker|driver|operator|controller|manager|porter|officer|clerk|therapist|hygienist|receptionist|machinist)$/i;

function isOccupation(word: string): boolean {
  return isIn('occupations', word) || OCCUPATION.test(` ${word}`);
}

function isName(text: string): boolean {
  return (
    NAME.test(text) &&
    !wordsOf(text).some((word) => isIn('adjectives', word) || PREPOSITION.test(word)) &&
    !/'s$/.test(text)
  );
}

function isNoName(word: string): boolean {
  return isIn('noNames', word) || isIn('demonyms', word) || isIn('occupations', word);
}

/** The value that is said of `my noun`: of a person a name, of other things a name, a number or, where they have such values, any word. */
function valueOf(noun: string, text: string, words: readonly string[]): string | undefined {
  const last = noun.split(' ').at(-1) ?? '';
  const [first = ''] = words;
  if (last === 'car' && isColoured(words)) return bare(text);
  if (isIn('adjectives', first) || PREPOSITION.test(first) || /[!?]\S/.test(text)) return undefined;
  if (last === 'birthday') return DATE.test(text) ? text : undefined;
  if (isIn('persons', last) || isIn('pets', last)) {
    const name = text.replace(PLACE_OF_PERSON, '');
    const isPerson =
      isName(name) &&
      wordsOf(name).every(
        (word) => isUpper(word) || /^(?:de|da|do|dos|van|von|der|la|le|di|del)$/.test(word),
      );
    return isPerson && !wordsOf(name).some(isNoName) ? name : undefined;
  }
  if (isIn('valued', last) || noun.startsWith('favourite '))
    return /^(?:an?|the) /i.test(text) && isIn('adjectives', words[1] ?? '') && !isColoured(words)
      ? undefined
      : bare(text);
  const own = wordsOf(bare(text));
  const isNamed =
    own.some(isUpper) && (own === words ? isUpper(first) : true) && !(own.length === 1 && isNoName(text));
  return isNamed ? bare(text) : undefined;
}

/** `a grey estate` says what it is, `a bit slow` how it is. */
function isColoured(words: readonly string[]): boolean {
  return (
    words.length > 2 &&
    /^(?:red|gr[ae]y|green|blue|black|white|silver|yellow|brown|orange|beige|purple|pink|gold|dark|light)$/i.test(
      words[1] ?? '',
    )
  );
}
