import type { ToolDescription } from '../types';
import { KNOWN_TOOLS } from '../known-tools';
import { earlierOutput, incomplete, type ReadContext, type Reading } from '../plan/reading';
import { isContrary } from '../arguments/contrary';
import { sureness } from '../arguments/doubts';
import { extractArguments, type Extraction } from '../arguments/extract';
import { fitOf, type Fitting } from '../arguments/fit';
import { evidenceFor, findUnplaced } from '../arguments/remainder';
import { termsOf } from '../arguments/tool-terms';
import { measureWords } from '../arguments/wording';
import { weigh, type Measures } from '../arguments/weights';
import type { TokenText } from '../text/token';

const BUILTIN_NAMES = new Set(KNOWN_TOOLS.map(({ name }) => name));
/** Longest text whose every tool is tried, characters. */
const MAX_SOURCE = 1_000;
/** How many tools are read at most, as each takes milliseconds: those that the words speak for most. */
const MAX_READ = 32;

/** The tools that have no reader of their own. */
export function registeredTools(tools: readonly ToolDescription[]): ToolDescription[] {
  return tools.filter(({ name }) => !BUILTIN_NAMES.has(name));
}

/** One tool that a text may be about, with what the text gives it. */
export interface ToolReading extends Fitting {
  /** The logarithm of the odds that the tool is meant, against none. */
  readonly fit: number;
  /** The logarithm of the probability that the tool is meant. */
  readonly share: number;
  /** The logarithm of the probability that the tool is meant and that all values are right. */
  readonly confidence: number;
}

/** Reads a clause as a call of a registered tool. */
export function readRegistered(clause: TokenText, context: ReadContext): Reading | undefined {
  const [best, next] = readTools(clause, context).filter(
    (one) =>
      (one.fit > 0 && one.share >= MIN_CLAUSE_SHARE) || (isComplete(one) && one.evidence.unexplained === 0),
  );
  if (!best) return undefined;
  if (next && best.fit - next.fit < MIN_MARGIN && isComplete(best) === isComplete(next)) {
    const names = [best, next].map(({ extraction }) => extraction.view.tool.name).join(', ');
    return incomplete(0.6, { message: `Several tools fit equally well: ${names}.` });
  }
  return toReading(best, scoreOf(best));
}

/** Below this a tool is hardly meant, as the logarithm of its odds against none. */
const MIN_FIT = -1;

/** The tools that a text may be about, best first. */
export function readTools(clause: TokenText, context: ReadContext): ToolReading[] {
  const readings = readEvery(clause, context);
  const total = Math.log(readings.reduce((sum, { fit }) => sum + Math.exp(fit), 1));
  return readings
    .filter(({ fit }) => fit > MIN_FIT)
    .map((one) => ({ ...one, share: one.fit - total, confidence: sureness(one, one.fit - total) }))
    .sort((one, other) => other.fit - one.fit);
}

/** What the text gives for each tool that it does not speak against. */
export function readEvery(
  clause: TokenText,
  context: ReadContext,
): Omit<ToolReading, 'confidence' | 'share'>[] {
  const isShort = clause.source.length <= MAX_SOURCE;
  const tools = registeredTools(context.tools);
  const builtin = context.tools.filter(({ name }) => BUILTIN_NAMES.has(name));
  const wordings = measureWords(clause.tokens, [...tools, ...builtin]);
  const worded = tools
    .map((tool, at) => ({ tool, wording: wordings[at] ?? {} }))
    .filter(
      ({ tool, wording: { named = 0 } }) =>
        (isShort || named > 0.5) && !isContrary(clause.tokens, termsOf(tool)),
    );
  return likeliest(worded).map(({ tool, wording }) => readTool(clause, tool, wording, context));
}

function likeliest<T extends { readonly wording: Measures }>(worded: readonly T[]): readonly T[] {
  if (worded.length <= MAX_READ) return worded;
  return worded
    .map((one) => ({ one, weight: weigh('tools', one.wording) }))
    .sort((one, other) => other.weight - one.weight)
    .slice(0, MAX_READ)
    .map(({ one }) => one);
}

function readTool(
  clause: TokenText,
  tool: ToolDescription,
  wording: Measures,
  context: ReadContext,
): Omit<ToolReading, 'confidence' | 'share'> {
  const extraction = extract(clause, tool, context);
  const evidence = evidenceFor(extraction);
  const unplaced = findUnplaced(extraction);
  const read = { wording, extraction, evidence, ...(unplaced === undefined ? {} : { unplaced }) };
  return { ...read, fit: fitOf(read) };
}

/** A tool has to fit this much better than the next, as a logarithm. */
const MIN_MARGIN = 0.08;
/** How likely a tool has to be for what its call lacks to be named, as a logarithm. */
const MIN_SHARE = Math.log(0.55);
/** The same for a part of a text, the rest of which may ask for something else. */
const MIN_CLAUSE_SHARE = Math.log(0.75);

/** True where the tool may well be meant. */
export function isMeant({ share }: ToolReading): boolean {
  return share >= MIN_SHARE;
}

/** Below this probability, in logarithms, a call is refused. */
const MIN_CONFIDENCE = Math.log(0.7);

export function isComplete({ extraction: { missing }, confidence }: ToolReading): boolean {
  return missing === undefined && confidence >= MIN_CONFIDENCE;
}

/** A tool whose name is said as a whole is hardly anything else, even where a word of it is one of a calculation. */
function scoreOf({ wording: { named = 0 }, evidence, fit }: ToolReading): number {
  const byWords = Math.min(1.45, 0.6 + fit * 0.1) + (named > 0.98 ? 0.35 : 0);
  return Math.max(byWords, evidence.telling > 0 ? 0.9 : 0);
}

/** A call of one tool with what the clause gives it. */
export function callOf(
  clause: TokenText,
  tool: ToolDescription,
  context: ReadContext,
  score: number,
): Reading {
  const [wording = {}] = measureWords(clause.tokens, [tool]);
  const reading = readTool(clause, tool, wording, context);
  return toReading({ ...reading, share: 0, confidence: sureness(reading, 0) }, score);
}

function extract(clause: TokenText, tool: ToolDescription, context: ReadContext): Extraction {
  const earlier = earlierOutput(context);
  return extractArguments(clause, tool, {
    ...(earlier ? { earlier } : {}),
    calls: context.steps,
    tools: context.tools,
  });
}

export function toReading(reading: ToolReading, score: number): Reading {
  const { extraction, unplaced } = reading;
  const { args, missing, repeats, doubtful, view } = extraction;
  const { tool } = view;
  if (repeats) return { score, steps: [] };
  if (missing !== undefined) {
    const message = `"${missing}" is missing: ${describe(tool, missing)}.`;
    return incomplete(score - 0.1, { message, missing, toolName: tool.name, extractedArgs: args });
  }
  if (isComplete(reading)) return { score, steps: [{ toolName: tool.name, args }] };
  const unclear =
    unplaced === undefined
      ? `What the text gives for "${doubtful}" of ${tool.name} is not clear.`
      : `What "${unplaced.slice(0, 80)}" is for in a call of ${tool.name} is not clear.`;
  return incomplete(score - 0.1, { message: unclear, toolName: tool.name, extractedArgs: args });
}

function describe(tool: ToolDescription, name: string): string {
  const description = tool.parameters[name]?.description ?? '';
  return description === '' ? `${tool.name} needs it` : description.replace(/\.$/, '');
}
