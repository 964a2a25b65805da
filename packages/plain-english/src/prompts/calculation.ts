import { lexArithmetic } from '../arithmetic/lexer';
import { asksWhether } from '../arithmetic/whether';
import { CALCULATOR } from '../known-tools';
import { MAX_PROMPT_LENGTH, understand } from '../plan/understand';
import { attempt } from '../plan/problem';
import { resultOf } from '../plan/whole-calculation';
import { ASKING } from '../readers/arithmetic';
import { POLITENESS, STOP_WORDS } from '../text/stop-words';
import { tokenize } from '../text/tokenizer';
import type { Prompt } from './prompt';
import { wordsTagged } from '../text/lexicon/words';

/** Words of introductions and of how to put the answer that the answer is already put. */
const AROUND = wordsTagged('around');
/** Words that are nothing by themselves but make a sentence one about something else. */
const CONTENT = wordsTagged('content');

/** `what is 12 times 4`: the number. */
export function answerCalculation({ whole }: Prompt): string | undefined {
  if (whole.length > MAX_PROMPT_LENGTH || !isCalculation(whole)) return undefined;
  const result = resultOf(
    attempt(() => understand(whole, [CALCULATOR], [], MAX_PROMPT_LENGTH)).value?.steps ?? [],
  );
  return result === undefined || !Number.isFinite(result) ? undefined : String(result);
}

/** Every word is one of the calculation, or of the asking for it. */
function isCalculation(text: string): boolean {
  const { tokens } = tokenize(text);
  return (
    !asksWhether(tokens) &&
    lexArithmetic(tokens, true).every(({ type, token: { kind, lower } }) => {
      if (type !== 'unknown') return true;
      return (kind === 'symbol' || kind === 'word') && !CONTENT.has(lower) && isAround(lower);
    })
  );
}

function isAround(word: string): boolean {
  return (
    ASKING.has(word) ||
    POLITENESS.has(word) ||
    STOP_WORDS.has(word) ||
    AROUND.has(word) ||
    !/\p{L}/u.test(word)
  );
}
