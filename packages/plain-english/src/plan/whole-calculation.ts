import type { ToolDescription } from '../types';
import { applyOperation } from '../arithmetic/expression';
import { meaningOf } from '../arithmetic/lexicon';
import { readArithmetic } from '../readers/arithmetic';
import { readRegistered } from '../readers/registered';
import { readWeather } from '../readers/weather';
import { readWordProblem } from '../readers/word-problem';
import { termsOf } from '../arguments/tool-terms';
import { KNOWN_TOOLS, type CalculatorOperation } from '../known-tools';
import { beginsNumber } from '../text/quantity';
import { stem } from '../text/stem';
import { sliceTokens, type TokenText } from '../text/token';
import { splitClauses } from './clauses';
import { notUnderstood } from './problem';
import { incomplete, type ReadContext, type Reading } from './reading';
import { parseReference, type PlannedStep } from './step';

/** From here on a calculation explains the whole sentence. */
const CERTAIN = 1.2;
/** A calculation with next to no other words, whatever a story would make of its numbers. */
const OBVIOUS = 1.4;
const NAMED_OPERATION =
  /\b(?:plus|minus|times (?=[\d(])|add|subtract|multipl(?:y|ied)|divided?|quotient|product|sum of|difference (?:between|of)|squared|double|twice)\b|[+*×÷=]/i;
const MARKS = new Set(['.', '!', '?', ':', ';']);
/** Openings that are tried without; more would be read over and over. */
const MAX_OPENINGS = 4;

/** Most sentences with numbers are one calculation, from the first word or after an opening without numbers. */
export function wholeCalculation(
  text: TokenText,
  tools: readonly ToolDescription[],
): readonly PlannedStep[] | undefined {
  if (asksForMore(text, tools)) return undefined;
  if (/\bhow (?:many|much)\b.*\b(?:and|also) how (?:many|much|long)\b/i.test(text.source))
    throw notUnderstood('More than one result is asked for.', { toolName: 'calculator' });
  const context = { tools, steps: [] };
  for (const part of partsOf(text)) {
    const reading = read(part, context);
    if (reading?.problem) throw notUnderstood(reading.problem.message, { toolName: 'calculator' });
    if (reading) return reading.steps;
  }
  return undefined;
}

function read(text: TokenText, context: ReadContext): Reading | undefined {
  const reading = readArithmetic(text, context);
  // What the calculator cannot do, as a power, no story makes possible.
  const story = isImpossible(reading) ? undefined : readWordProblem(text, context);
  const best = story && (!reading || reading.problem || story.score > reading.score) ? story : reading;
  if (
    !best ||
    best.score < CERTAIN ||
    (best.problem && best !== story) ||
    (best !== story && readWeather(text, context))
  )
    return undefined;
  const rival = readRegistered(text, context);
  // A story answers its own question; only a plain request for another tool outdoes it.
  const lead = best === story ? 0.2 : 0.4;
  if (rival && !rival.problem && rival.score >= best.score - lead) return undefined;
  const other = best === story ? reading : story;
  const agrees = !other || other.problem || best.problem || resultOf(other.steps) === resultOf(best.steps);
  if (agrees) return best;
  // A story explains its numbers by what they count, unless the text names the operation itself.
  if (
    story &&
    reading &&
    !reading.problem &&
    NAMED_OPERATION.test(text.source) &&
    countNumbers(reading) >= countNumbers(story)
  )
    return reading;
  if (story) return story;
  if (best.score >= OBVIOUS) return best;
  return incomplete(best.score, {
    message: 'The numbers can be put together in more than one way.',
    toolName: 'calculator',
  });
}

function countNumbers({ steps }: Reading): number {
  return steps.flatMap(({ args }) => [args['a'], args['b']]).filter((value) => typeof value === 'number')
    .length;
}

function isImpossible(reading: Reading | undefined): boolean {
  return reading?.problem !== undefined && reading.score >= 1;
}

/** The text, and what is left of it without the sentences before the first number. */
function* partsOf(text: TokenText): Generator<TokenText> {
  yield text;
  const { tokens } = text;
  let openings = 0;
  for (const [at, token] of tokens.entries()) {
    if (openings >= MAX_OPENINGS) return;
    if (beginsNumber(token) && token.lower !== 'one') return;
    if (!MARKS.has(token.text)) continue;
    openings++;
    yield sliceTokens(text, at + 1);
  }
}

/** True where a later clause asks for a tool that is no calculator: `… and order that many gloves`. */
function asksForMore(text: TokenText, tools: readonly ToolDescription[]): boolean {
  const own = new Set(KNOWN_TOOLS.map(({ name }) => name));
  const verbs = new Set(tools.filter(({ name }) => !own.has(name)).flatMap((tool) => termsOf(tool).verbs));
  const [, ...later] = splitClauses(text, tools);
  return later.some(
    ({ tokens: [first] }) =>
      first !== undefined && verbs.has(stem(first.lower)) && meaningOf(first.lower) === undefined,
  );
}

/** The number in which calculations end; undefined where they go on from something else. */
export function resultOf(steps: readonly PlannedStep[]): number | undefined {
  const results: number[] = [];
  for (const { args } of steps) {
    const [a, b] = [args['a'], args['b']].map((value) => {
      const reference = parseReference(value);
      return reference ? results[reference.step - 1] : Number(value);
    });
    if (a === undefined || b === undefined) return undefined;
    results.push(applyOperation(args['operation'] as CalculatorOperation, a, b));
  }
  return results.at(-1);
}
