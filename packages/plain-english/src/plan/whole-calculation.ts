import type { ToolDescription } from '../types';
import { applyOperation } from '../arithmetic/expression';
import { meaningOf } from '../arithmetic/lexicon';
import { readArithmetic } from '../readers/arithmetic';
import { readRegistered } from '../readers/registered';
import { readWeather } from '../readers/weather';
import { termsOf } from '../arguments/tool-terms';
import { KNOWN_TOOLS, type CalculatorOperation } from '../known-tools';
import { beginsNumber } from '../text/quantity';
import { stem } from '../text/stem';
import { sliceTokens, type TokenText } from '../text/token';
import { splitClauses } from './clauses';
import { notUnderstood } from './problem';
import type { ReadContext, Reading } from './reading';
import { parseReference, type PlannedStep } from './step';

/** From here on a calculation explains the whole sentence. */
const CERTAIN = 1.2;
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
    if (reading) return reading.steps;
  }
  return undefined;
}

function read(text: TokenText, context: ReadContext): Reading | undefined {
  const reading = readArithmetic(text, context);
  if (!reading || reading.problem || reading.score < CERTAIN || readWeather(text, context)) return undefined;
  const rival = readRegistered(text, context);
  // Only a plain request for another tool outdoes a calculation.
  return rival && !rival.problem && rival.score >= reading.score - 0.4 ? undefined : reading;
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
