import { meaningOf } from '../arithmetic/lexicon';
import { ArithmeticProblem } from '../arithmetic/cursor';
import { compileExpressions } from '../arithmetic/compile';
import { asksWhether } from '../arithmetic/whether';
import { parseProgram, type Program } from '../arithmetic/program';
import { guessPath } from '../json/guess-path';
import { keyWords, likeness } from '../json/key-words';
import { findOtherRequest } from '../plan/other-request';
import type { PlannedStep } from '../plan/step';
import { hasData, hasTool, incomplete, referenceBack, type ReadContext, type Reading } from '../plan/reading';
import { POLITENESS, STOP_WORDS } from '../text/stop-words';
import type { TokenText } from '../text/token';

const OPAQUE = new Set(['url', 'domain', 'json', 'email', 'file', 'jsonpath']);
/** Words around a calculation that say only that one is wanted. */
export const ASKING: ReadonlySet<string> = new Set(
  (
    'calculate calculation compute work solve find tell know need want figure quick question maths math sum result answer equation ' +
    'determine evaluate workout caluclate calcualte calulate come comes make makes first left over remain whats problem homework ' +
    'dollars euros pounds usd eur gbp km people apples bucks cents share'
  ).split(' '),
);

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
  const strange = unknown.filter(({ lower, kind }) => {
    if (kind !== 'word') return OPAQUE.has(kind);
    return !ASKING.has(lower) && !POLITENESS.has(lower) && !STOP_WORDS.has(lower);
  });
  const opaque = tokens.filter(({ kind }) => OPAQUE.has(kind)).length;
  return 1.5 - strange.length * 0.08 - opaque;
}

/** A clause that names an operation but lacks a number is a calculation all the same. */
function explain(problem: ArithmeticProblem, { tokens }: TokenText): Reading | undefined {
  const opaque = tokens.some(({ kind }) => OPAQUE.has(kind));
  if (opaque) return undefined;
  const details = { toolName: 'calculator', extractedArgs: problem.found };
  if (problem.final) return incomplete(1, { message: sentence(problem.reason), ...details });
  const hasNumber = tokens.some(({ kind }) => kind === 'number') || Object.hasOwn(problem.found, 'a');
  const asks = ['how', 'what', 'when', 'why'].includes(tokens[0]?.lower ?? '');
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
