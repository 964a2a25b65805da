import type { Token } from '../text/token';
import { wordsTagged } from '../text/lexicon/words';

const SWAPPED = new Map<string, string>(
  `i you,i'm you're,im you're,i've you've,ive you've,i'd you'd,i'll you'll,me you,my your,mine yours,myself yourself,we you,
  we're you're,we've you've,we'd you'd,we'll you'll,us you,our your,ours yours,ourselves yourselves,you me,your my,yours mine,
  you're I'm,you've I've`
    .split(/,\s*/)
    .map((pair) => pair.split(' ') as [string, string]),
);
/** Verbs whose form depends on the person, after I and we, and after you. */
const AFTER_ME: Readonly<Record<string, string>> = { am: 'are', was: 'were', "wasn't": "weren't" };
const AFTER_YOU: Readonly<Record<string, string>> = {
  are: 'am',
  were: 'was',
  "aren't": 'am not',
  "weren't": "wasn't",
};
/** Words that have a capital only where they begin a sentence. */
const OPENING = wordsTagged('opening');
const ME = new Set(['i', 'me', 'we']);
const BEFORE_SUBJECT = wordsTagged('before-subject');

/**
 * A text of the first person in the second, as one tells another what that one said: `I am at my desk` gives `you are at
 * your desk`. Quotations and addresses stay as they are.
 */
export function toSecondPerson(source: string, tokens: readonly Token[]): string {
  let text = '';
  let end = tokens[0]?.start ?? 0;
  tokens.forEach((token, at) => {
    const said = swap(token, tokens, at);
    text +=
      source.slice(end, token.start) +
      (at === 0 && OPENING.has(said.toLowerCase()) ? said.toLowerCase() : said);
    end = token.end;
  });
  return text;
}

function swap(token: Token, tokens: readonly Token[], at: number): string {
  if (token.kind !== 'word') return token.text;
  const { lower } = token;
  const previous = tokens[at - 1]?.lower ?? '';
  const next = tokens[at + 1]?.lower ?? '';
  if (Object.hasOwn(AFTER_ME, lower) && (ME.has(previous) || ME.has(next))) return AFTER_ME[lower] ?? lower;
  if (Object.hasOwn(AFTER_YOU, lower) && previous === 'you') return AFTER_YOU[lower] ?? lower;
  if (lower === 'you' && isSubject(tokens, at)) return 'I';
  return SWAPPED.get(lower) ?? token.text;
}

/** `you` stands before its verb where it begins a clause. */
function isSubject(tokens: readonly Token[], at: number): boolean {
  const previous = tokens[at - 1];
  return (
    previous === undefined ||
    (previous.kind === 'symbol' && previous.text !== '-') ||
    BEFORE_SUBJECT.has(previous.lower)
  );
}
