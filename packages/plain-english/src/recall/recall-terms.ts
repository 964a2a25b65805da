import { examplesOf } from './kinds';
import { readQuestion } from './questions';
import { LIGHT, toWords } from './words';
import { sentencesOf } from './clauses';

/** Most words to look for besides those of the query. */
const MAX_TERMS = 24;

/** What people say of themselves where they are asked for something, by what is asked. */
const SAID: Readonly<Record<string, string>> = {
  like: 'like love prefer enjoy favourite fan',
  dislike: 'hate dislike stand avoid',
  favourite: 'favourite favorite prefer love like',
  home: 'live moved based address home',
  job: 'work job profession employed company',
  own: 'have own got bought',
  name: 'name called named',
  age: 'years old turned age born',
  birthday: 'birthday born turn',
  learn: 'learning studying',
};
const WORDS: Readonly<Record<string, string>> = {
  allergies: 'allergic allergy',
  allergic: 'allergy allergies',
  children: 'kids son daughter child',
  kids: 'children son daughter',
  wife: 'married spouse partner',
  husband: 'married spouse partner',
  married: 'wife husband spouse',
  pets: 'dog cat pet rabbit',
  pet: 'dog cat',
  siblings: 'sister brother',
  parents: 'mother father mum dad',
  mother: 'mum mom',
  father: 'dad',
  boss: 'manager',
  manager: 'boss',
  employer: 'company work',
  rent: 'flat apartment',
  salary: 'earn pay income',
  movie: 'film',
  film: 'movie',
  car: 'drive',
  flat: 'apartment',
  phone: 'number mobile',
  medication: 'medicine tablets mg',
  medicine: 'medication tablets mg',
};

const REPORTED = new Set('told gave mentioned said named noted'.split(' '));
/** So many words before `I told you` say what was told. */
const REPORTED_WORDS = 5;

/**
 * Words to search memory for besides the query: `drink` finds tea, `my job` finds `I work as`; and those of `the cups of
 * coffee I told you about`, each by itself, as the query is on something else as well. At most 24.
 */
export function recallTerms(query: string): readonly string[] {
  const words = toWords(sentencesOf(query.slice(0, 1_000)).flat()).map(({ lower }) => lower);
  const question = readQuestion(query);
  const found = [
    ...(SAID[question?.relation ?? '']?.split(' ') ?? []),
    ...words.flatMap((word) => (Object.hasOwn(WORDS, word) ? (WORDS[word]?.split(' ') ?? []) : [])),
    ...(question?.kind === undefined ? [] : examplesOf(question.kind)),
    ...words.filter((word) => !LIGHT.has(word)).flatMap(examplesOf),
  ];
  const others = found.filter((word) => !words.includes(word));
  return [...new Set([...reportedWords(words), ...others])].slice(0, MAX_TERMS);
}

function reportedWords(words: readonly string[]): string[] {
  const at = words.findIndex((word, index) => word === 'i' && REPORTED.has(words[index + 1] ?? ''));
  return at < 0 ? [] : words.slice(Math.max(0, at - REPORTED_WORDS), at).filter((word) => !LIGHT.has(word));
}
