import { meaningOf } from '../arithmetic/lexicon';
import type { Asked } from '../json/asked';
import type { Read } from '../json/read';
import { shown, Unclear } from '../json/unclear';
import { CALCULATOR } from '../known-tools';
import { mapArgs, parseReference, type PlannedStep } from '../plan/step';
import type { Token } from '../text/token';
import { readArithmetic } from './arithmetic';
import { operandsOf, type Operand } from './document-operands';
import { readRate } from './document-rates';
import { STAND_IN, substitute } from './document-numbers';
import { wordsTagged } from '../text/lexicon/words';

/** Calculations with values of documents: the values are read first, and the calculator's calls refer to these. */
export interface Calculated {
  readonly reads: readonly Read[];
  /** They refer to the reads and to one another. */
  readonly steps: readonly PlannedStep[];
}

/**
 * The calculation that a question asks for, with the numbers that its names stand for; `before` is the number of calls before it.
 * @returns undefined without a calculation
 * @throws Unclear where one of them is no number
 */
export function calculateAsked(asked: Asked, source: string, before: number): Calculated | undefined {
  const operands = operandsOf(asked);
  if (operands.length === 0) return undefined;
  const tokens = substitute(asked, operands);
  const steps = readRate(asked, operands) ?? readParts(tokens, source);
  if (!steps) {
    if (hasOperation(tokens)) throw new Unclear('What to calculate with which values is not clear.');
    return undefined;
  }
  const used = new Set(steps.flatMap(({ args }) => [args['a'], args['b']]));
  const taken = operands.filter(({ value }) => used.has(value ?? STAND_IN));
  const problem = taken.find((operand) => operand.problem !== undefined)?.problem;
  if (problem !== undefined) throw new Unclear(problem);
  const other = taken.find(({ value }) => value === undefined);
  if (other) throw new Unclear(`The value of ${shown(other.read.path)} is not a number.`);
  return withReferences(taken, steps, before);
}

/** What the steps calculate with is read before, and referred to. A number that is equal by chance may be so too. */
function withReferences(
  operands: readonly Operand[],
  steps: readonly PlannedStep[],
  before: number,
): Calculated {
  const isSame = (one: Read, { path, source }: Read): boolean => one.path === path && one.source === source;
  const reads = operands.filter(({ read }, at) => operands.findIndex((one) => isSame(one.read, read)) === at);
  const refer = (arg: unknown): unknown => {
    const index = reads.findIndex(({ value }) => value === arg);
    if (index !== -1) return `{{${before + index + 1}}}`;
    const reference = parseReference(arg);
    return reference ? `{{${before + reference.step + reads.length}}}` : arg;
  };
  return { reads: reads.map(({ read }) => read), steps: steps.map((step) => mapArgs(step, refer)) };
}

/** The whole text as one calculation, or else the last of its sentences that is one. */
function readParts(tokens: readonly Token[], source: string): readonly PlannedStep[] | undefined {
  const sentences: Token[][] = [[]];
  for (const token of tokens) {
    sentences.at(-1)?.push(token);
    if (/^[.?!;:]$|^then$/.test(token.lower)) sentences.push([]);
  }
  const numbers = (part: readonly Token[]): number =>
    part.filter((token) => token.kind === 'number' && !isNamed(token)).length;
  // `What percentage is that? Divide …`: the last sentence, where it has all that is calculated with.
  const full = sentences.findLast((part) => part.some(isNamed) && numbers(part) === numbers(tokens));
  const first = full && full.filter(isNamed).length > 1 ? [full] : [];
  for (const part of [...first, tokens, ...sentences.reverse()]) {
    const steps = readPart(part, source);
    if (steps) return steps;
  }
  return undefined;
}

/** True for a number that stands for words which name it. */
function isNamed(token: Token & { readonly isOperand?: boolean }): boolean {
  return token.isOperand === true;
}

/** A calculation that leaves no number of the text out. */
function readPart(tokens: readonly Token[], source: string): readonly PlannedStep[] | undefined {
  const numbers = tokens.filter(({ kind }) => kind === 'number');
  if (numbers.length === 0) return undefined;
  const reading = readArithmetic({ source, tokens }, { tools: [CALCULATOR], steps: [] });
  if (!reading || reading.problem || reading.steps.length === 0) return undefined;
  const used = reading.steps
    .flatMap(({ args }) => [args['a'], args['b']])
    .filter((arg) => typeof arg === 'number');
  const isWhole = numbers.every(
    ({ value, isOperand }: Token & { isOperand?: boolean }) =>
      isOperand !== true || used.includes(value as number),
  );
  return isWhole && used.length >= numbers.length ? reading.steps : undefined;
}

const PARTICIPLES = /^(?:divided|multiplied|subtracted|deducted|percent|%)$/;
const OPERATIONS = new Set(['verb', 'infix', 'unary']);
const WEAK = wordsTagged('weak');

/** True where a word that is left can only be a calculation. */
function hasOperation(tokens: readonly Token[]): boolean {
  return tokens.some(
    ({ lower }) =>
      PARTICIPLES.test(lower) || (!WEAK.has(lower) && OPERATIONS.has(meaningOf(lower)?.type ?? '')),
  );
}
