import { compileExpressions } from '../arithmetic/compile';
import { asksWhether } from '../arithmetic/whether';
import { findOtherRequest } from '../plan/other-request';
import { hasTool, type ReadContext, type Reading } from '../plan/reading';
import { itemsOf } from '../word-problems/items';
import { solveStory } from '../word-problems/solve';
import type { TokenText } from '../text/token';

/** Longer texts than this are no story with one question. */
const MAX_TOKENS = 120;

/** `convert 3 hours to minutes`, `download of 12 MB`, `phone battery is`: no request for anything else. */
const NAMES = /^(?!what|how|which)(?:convert|\w+ of|\w+(?: \w+)? (?:is|was|are|has|costs?|holds?))\b/i;

/** Reads a short story with a question, such as `I have 12 apples and give away 5, how many are left?`. */
export function readWordProblem(clause: TokenText, context: ReadContext): Reading | undefined {
  if (!hasTool(context, 'calculator') || asksWhether(clause.tokens)) return undefined;
  const { tokens } = clause;
  // `convert 3 hours to minutes` is a calculation where both units are known.
  if (!NAMES.test(clause.source) && findOtherRequest(clause) !== undefined) return undefined;
  if (
    tokens.length > MAX_TOKENS ||
    tokens.some(({ kind }) => !['word', 'number', 'symbol', 'time'].includes(kind))
  )
    return undefined;
  const items = itemsOf(tokens);
  const solution = items && solveStory(items);
  if (!solution) return undefined;
  const steps = compileExpressions([solution], {
    firstStep: 0,
    earlier: () => '',
    readField: () => ({ toolName: 'json_reader', args: {} }),
  });
  return { score: 1.25, steps };
}
