import { isSmallNumberWord } from '../text/number-words';
import { wordsOf } from '../text/stem';
import { STOP_WORDS } from '../text/stop-words';
import type { ToolParameter } from '../types';
import { plainStem } from './slots';

/**
 * What the description of a parameter calls each of its choices by, as stems that no other choice has:
 * `vacation (holiday, annual leave), sick (illness)`, `twin is a room with separate beds`, or one phrase for each in order.
 */
export function hintsFor({ enum: choices = [], description }: ToolParameter): readonly ReadonlySet<string>[] {
  const phrases = inOrder(choices, description) ?? choices.map((choice) => phraseFor(choice, description));
  const stems = phrases.map((phrase) => new Set(contentStems(phrase)));
  const isOwn = (word: string, at: number): boolean =>
    !stems.some((others, index) => index !== at && others.has(word));
  // What the rest of the description says, too, is what all choices are: `kind of room; twin is a room with two beds`.
  const rest = phrases.reduce(
    (text, phrase) => (phrase === '' ? text : text.replace(phrase, ' ')),
    description,
  );
  const names = new Set([...choices, rest].flatMap(contentStems));
  return stems.map((own, at) => new Set([...own].filter((word) => isOwn(word, at) && !names.has(word))));
}

/** `how it is paid back: charged twice, goods broken`: as many phrases as choices, none of which names one. */
function inOrder(choices: readonly string[], description: string): readonly string[] | undefined {
  const phrases = (description.split(/:\s/).at(-1) ?? '').split(/[,;]|\bor\b/);
  const names = choices.map((choice) => wordsOf(choice).join(' '));
  const isNamed = phrases.filter((phrase) => names.includes(wordsOf(phrase).join(' '))).length > 0;
  return phrases.length === choices.length && phrases.length > 1 && !isNamed ? phrases : undefined;
}

function phraseFor(choice: string, description: string): string {
  const name = wordsOf(choice).join('[ _-]');
  const found = new RegExp(
    `\\b${name}\\b\\s*(?:\\(([^)]*)\\)|(?:is|are|means|for|=|:)\\s+([^,;.)]*))`,
    'iu',
  ).exec(description);
  return found?.[1] ?? found?.[2] ?? '';
}

function contentStems(text: string): string[] {
  return wordsOf(text)
    .filter((word) => word.length > 2 && !STOP_WORDS.has(word) && !isSmallNumberWord(word))
    .map(plainStem);
}
