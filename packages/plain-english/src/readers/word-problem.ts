import { compileExpressions } from '../arithmetic/compile';
import { asksWhether } from '../arithmetic/whether';
import { findOtherRequest } from '../plan/other-request';
import { hasTool, incomplete, type ReadContext, type Reading } from '../plan/reading';
import { factsOf } from '../word-problems/facts';
import { questionOf } from '../word-problems/question';
import { solveStory } from '../word-problems/solve';
import type { TokenText } from '../text/token';

/** Longer texts than this are no story with one question. */
const MAX_TOKENS = 120;
const MAX_FACTS = 6;

/** Reads a short story with a question, such as `I have 12 apples and give away 5, how many are left?`. */
export function readWordProblem(clause: TokenText, context: ReadContext): Reading | undefined {
  if (!hasTool(context, 'calculator') || asksWhether(clause.tokens)) return undefined;
  if (findOtherRequest(clause) !== undefined) return undefined;
  const { tokens } = clause;
  if (tokens.length > MAX_TOKENS || tokens.some(({ kind }) => !['word', 'number', 'symbol'].includes(kind)))
    return undefined;
  const question = questionOf(tokens);
  const facts = question && factsOf(tokens);
  if (!facts || facts.length === 0 || facts.length > MAX_FACTS) return undefined;
  const text = tokens.map(({ lower }) => lower).join(' ');
  const solution = solveStory(facts, question, text);
  if (solution.kind === 'none') return undefined;
  if (solution.kind === 'several') {
    return incomplete(1.25, {
      message: 'The numbers can be put together in more than one way.',
      toolName: 'calculator',
    });
  }
  const steps = compileExpressions([solution.expression], {
    firstStep: 0,
    earlier: () => '',
    readField: () => ({ toolName: 'json_reader', args: {} }),
  });
  return { score: 1.25, steps };
}
