import { meaningOf } from '../arithmetic/lexicon';
import { ArithmeticProblem, cannot } from '../arithmetic/cursor';
import { compileExpressions } from '../arithmetic/compile';
import { asksWhether } from '../arithmetic/whether';
import { parseProgram, type Program } from '../arithmetic/program';
import { guessPath } from '../json/guess-path';
import { keyWords, likeness } from '../json/key-words';
import { findOtherRequest } from '../plan/other-request';
import type { PlannedStep } from '../plan/step';
import { hasData, hasTool, incomplete, referenceBack, type ReadContext, type Reading } from '../plan/reading';
import { POLITENESS, STOP_WORDS } from '../text/stop-words';
import { beginsNumber } from '../text/quantity';
import { findOtherUnits } from '../arithmetic/other-units';
import { lowerAt, type Token, type TokenText } from '../text/token';
import { wordsTagged } from '../text/lexicon/words';

const OPAQUE = new Set(['url', 'domain', 'json', 'email', 'file', 'jsonpath']);
/** Words around a calculation that say only that one is wanted. */
export const ASKING: ReadonlySet<string> = wordsTagged('arithmetic-asking');

/** Below what is impossible, since a story may convert one unit to the other. */
const UNLIKE = 0.9;

/** Reads a clause as calculations. */
export function readArithmetic(clause: TokenText, context: ReadContext): Reading | undefined {
  if (!hasTool(context, 'calculator') || asksWhether(clause.tokens)) return undefined;
  const other = findOtherRequest(clause);
  if (other !== undefined)
    return canCalculate(clause) ? incomplete(0.5, { message: `No tool fits "${other}".` }) : undefined;
  const withData = hasData(context) || context.steps.at(-1)?.toolName === 'weather';
  try {
    const program = parseProgram(clause.tokens, {
      hasEarlier: context.steps.length > 0,
      hasFields: withData,
    });
    const steps = compile(program, context);
    if (/\bleft ?over\b/i.test(clause.source) && steps.at(-1)?.args['operation'] === 'divide')
      throw cannot('remainders');
    const units = findOtherUnits(clause, steps);
    if (units !== undefined)
      return incomplete(UNLIKE, { message: `${units} are in different units.`, toolName: 'calculator' });
    if (asksForOther(clause.tokens)) return undefined;
    if (program.continues && clause.tokens.some(({ kind }) => OPAQUE.has(kind))) return undefined;
    return { score: scoreOf(program, clause), steps };
  } catch (problem) {
    if (!(problem instanceof ArithmeticProblem)) throw problem;
    return explain(problem, clause);
  }
}

function canCalculate({ tokens }: TokenText): boolean {
  return tokens.filter(({ kind }) => kind === 'number').length > 1;
}

function compile({ results }: Program, context: ReadContext): PlannedStep[] {
  const source = referenceBack(context) ?? '';
  return compileExpressions(results, {
    firstStep: context.steps.length,
    earlier: (back) => referenceBack(context, back) ?? source,
    readField: (words) => {
      if (context.steps.at(-1)?.toolName === 'weather') return weatherPart(words, context.steps.length);
      const path = guessPath([{ words }]) ?? '$';
      return { toolName: 'json_reader', args: { jsonString: source, path } };
    },
  });
}

/** The numbers of a weather report, by what people call them. */
const WEATHER_PARTS = ['temperature', 'feelsLike', 'humidity', 'windSpeed', 'latitude', 'longitude'];

function weatherPart(words: readonly string[], step: number): string {
  const part = WEATHER_PARTS.find((key) => likeness(words.join(''), keyWords(key).join('')) >= 0.8);
  if (part === undefined)
    throw new ArithmeticProblem(`"${words.join(' ')}" is no number of a weather report`);
  return `{{${step}.${part}}}`;
}

/** Every word that the calculation leaves unexplained makes it less likely that the clause is about one. */
function scoreOf({ unknown }: Program, { tokens }: TokenText): number {
  const strange = unknown.filter(isStrange);
  const opaque = tokens.filter(({ kind }) => OPAQUE.has(kind)).length;
  return 1.5 - strange.length * 0.08 - opaque;
}

function isStrange({ lower, kind }: Token): boolean {
  if (kind !== 'word') return OPAQUE.has(kind);
  return !ASKING.has(lower) && !POLITENESS.has(lower) && !STOP_WORDS.has(lower);
}

/** All that a question of its own may say without asking for more than the result. */
const PLAIN_QUESTION =
  /^(?:what(?: is|'s)?|how (?:much|many)(?: is| are)?)(?: (?:the|that|it|this|they|result|answer|total|sum|do|does|i|you|we|get|make|makes|give|gives|come|comes|to|in|all|is|are|then|now|please))*$/;

/** True where a question of its own asks for more than the result, as in `850 plus 120 for heating. What do I pay in a year?`. */
export function asksForOther(tokens: readonly Token[]): boolean {
  let from = 0;
  for (let at = 0; at <= tokens.length; at++) {
    if (at < tokens.length && !/^[.,;!?]$/.test(lowerAt(tokens, at))) continue;
    const sentence = tokens.slice(from, at);
    const isQuestion = from > 0 && /^(?:how|what)$/.test(sentence[0]?.lower ?? '');
    const isOther = isQuestion && !sentence.some((token) => beginsNumber(token));
    if (isOther && !PLAIN_QUESTION.test(sentence.map(({ lower }) => lower).join(' '))) return true;
    from = at + 1;
  }
  return false;
}

/** A clause that names an operation but lacks a number is a calculation all the same. */
function explain(problem: ArithmeticProblem, { tokens }: TokenText): Reading | undefined {
  const opaque = tokens.some(({ kind }) => OPAQUE.has(kind));
  if (opaque) return undefined;
  const details = { toolName: 'calculator', extractedArgs: problem.found };
  if (problem.final) return incomplete(1, { message: sentence(problem.reason), ...details });
  const hasNumber = tokens.some(({ kind }) => kind === 'number') || Object.hasOwn(problem.found, 'a');
  const asks = ['how', 'what', 'when', 'why'].includes(lowerAt(tokens, 0));
  const instructs = !asks && tokens.some(({ lower }) => meaningOf(lower)?.type === 'verb');
  if (problem.missing === undefined || !(hasNumber || (instructs && tokens.length <= 6))) return undefined;
  return incomplete(hasNumber ? 0.7 : 0.5, {
    message: sentence(problem.reason),
    missing: problem.missing,
    ...details,
  });
}

function sentence(reason: string): string {
  return `${reason.charAt(0).toUpperCase()}${reason.slice(1)}.`;
}
