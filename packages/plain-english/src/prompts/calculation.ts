import { isPlainEnglishError } from '../errors';
import { lexArithmetic } from '../arithmetic/lexer';
import { asksWhether } from '../arithmetic/whether';
import { CALCULATOR } from '../known-tools';
import { MAX_QUERY_LENGTH, understand } from '../plan/understand';
import { parseReference, type PlannedStep } from '../plan/step';
import { ASKING } from '../readers/arithmetic';
import { cleanNumber } from '../text/quantity';
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
  if (whole.length > MAX_QUERY_LENGTH || !isCalculation(whole)) return undefined;
  try {
    const result = run(understand(whole, [CALCULATOR]).steps);
    return result === undefined ? undefined : String(result);
  } catch (error) {
    if (isPlainEnglishError(error)) return undefined;
    throw error;
  }
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

function run(steps: readonly PlannedStep[]): number | undefined {
  const results: number[] = [];
  const valueOf = (value: unknown): number => {
    const reference = parseReference(value);
    return reference ? (results[reference.step - 1] ?? Number.NaN) : Number(value);
  };
  for (const { args } of steps) {
    results.push(apply(String(args['operation']), valueOf(args['a']), valueOf(args['b'])));
  }
  const last = results.at(-1);
  return last !== undefined && Number.isFinite(last) ? cleanNumber(last) : undefined;
}

function apply(operation: string, a: number, b: number): number {
  if (operation === 'add') return a + b;
  if (operation === 'subtract') return a - b;
  return operation === 'multiply' ? a * b : a / b;
}
