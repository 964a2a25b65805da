import type { ToolDescription } from '../types';
import { KNOWN_TOOLS } from '../known-tools';
import { earlierOutput, incomplete, type ReadContext, type Reading } from '../plan/reading';
import { pointsToEarlier } from '../arguments/antecedents';
import { evidenceFor, type Evidence } from '../arguments/evidence';
import { extractArguments, type Extraction } from '../arguments/extract';
import { rankTools, RANK_MARGIN, RANK_THRESHOLD, type RankedTool } from '../arguments/rank';
import { findUnplaced } from '../arguments/unplaced';
import { wordsOf } from '../text/stem';
import { POLITENESS, STOP_WORDS } from '../text/stop-words';
import type { TokenText } from '../text/token';
import { tokenize } from '../text/tokenizer';

const BUILTIN_NAMES = new Set(KNOWN_TOOLS.map(({ name }) => name));

/** The tools that have no reader of their own. */
export function registeredTools(tools: readonly ToolDescription[]): ToolDescription[] {
  return tools.filter(({ name }) => !BUILTIN_NAMES.has(name));
}

/** Reads a clause as a call of a registered tool, chosen by its words. */
export function readRegistered(clause: TokenText, context: ReadContext): Reading | undefined {
  const ranked = rankTools(clause.tokens, registeredTools(context.tools)).filter(
    ({ score }) => score >= RANK_THRESHOLD,
  );
  const [best] = ranked;
  if (!best) return onlySearch(clause, context) ?? byEvidence(clause, context) ?? backTo(clause, context);
  const close = ranked.filter(({ score }) => best.score - score < RANK_MARGIN);
  const readings = close.map((one) => ({ one, reading: callOf(clause, one.tool, context, scoreOf(one)) }));
  const complete = readings.filter(({ reading }) => !reading.problem);
  // Of several that fit the words alike, the one whose arguments are there.
  if (complete.length === 1) return complete[0]?.reading;
  if (readings.length === 1) return weak(best, readings[0]?.reading) ?? byEvidence(clause, context);
  const names = close.map(({ tool }) => tool.name).join(', ');
  return incomplete(0.6, { message: `Several tools fit equally well: ${names}.` });
}

/** `I spent 129 on software, please book it`: what the call before does already. */
function backTo(clause: TokenText, context: ReadContext): Reading | undefined {
  const last = registeredTools(context.tools).find(({ name }) => name === context.steps.at(-1)?.toolName);
  if (!last || clause.source.length > MAX_SOURCE || !pointsToEarlier(clause.tokens)) return undefined;
  const extraction = extract(clause, last, context);
  const isExplained = evidenceFor(last, extraction)?.unexplained === 0;
  return extraction.repeats && isExplained ? { score: 0.6, steps: [] } : undefined;
}

/** Longest text whose every tool is tried, or whose earlier sentences are looked at, characters. */
const MAX_SOURCE = 1_000;

/** Least number of values of a kind of their own that choose a tool by themselves. */
const MIN_TYPED = 2;

/** `email ann@example.org "The car is ready"`: no word of the tool's name, but values that only one tool takes. */
function byEvidence(clause: TokenText, context: ReadContext): Reading | undefined {
  if (clause.source.length > MAX_SOURCE) return undefined;
  const fitting = registeredTools(context.tools).flatMap((tool) => {
    const extraction = extract(clause, tool, context);
    const evidence = evidenceFor(tool, extraction);
    const fits = evidence && isEnough(evidence);
    return fits ? [{ tool, extraction, typed: evidence.typed }] : [];
  });
  const most = Math.max(0, ...fitting.map(({ typed }) => typed));
  const [only, ...others] = fitting.filter(({ typed }) => typed === most);
  return only && others.length === 0 ? toReading(only.tool, only.extraction, 0.9) : undefined;
}

function isEnough({ typed, unexplained, speaksOfIt }: Evidence): boolean {
  return unexplained === 0 && (typed >= MIN_TYPED || (typed > 0 && speaksOfIt));
}

const SEARCHING = new Set(['search', 'find', 'lookup']);

/** `search for headphones` where one tool searches: what is looked for need not say in what. */
function onlySearch(clause: TokenText, context: ReadContext): Reading | undefined {
  const first = clause.tokens.find(({ lower }) => !POLITENESS.has(lower) && !STOP_WORDS.has(lower));
  if (!first || !SEARCHING.has(first.lower)) return undefined;
  const [only, ...others] = registeredTools(context.tools).filter((tool) =>
    SEARCHING.has(wordsOf(tool.name)[0] ?? ''),
  );
  const reading = only && others.length === 0 ? callOf(clause, only, context, 0.6) : undefined;
  return reading?.problem ? undefined : reading;
}

/** Where hardly anything of the tool is said and an argument is missing, the sentence is about something else. */
function weak(
  { score, nameCover, leads, tool }: RankedTool,
  reading: Reading | undefined,
): Reading | undefined {
  if (reading?.problem && !leads && score < 1 && nameCover < 0.6 && Object.keys(tool.parameters).length > 0)
    return undefined;
  return reading;
}

/** A tool whose name is said as a whole is hardly anything else, even where a word of it is one of a calculation. */
function scoreOf({ score, nameCover }: RankedTool): number {
  return Math.min(1.45, 0.5 + score * 0.4) + (nameCover > 0.98 ? 0.35 : 0);
}

/** A call of one tool with what the clause gives it. */
export function callOf(
  clause: TokenText,
  tool: ToolDescription,
  context: ReadContext,
  score: number,
): Reading {
  const own = extract(clause, tool, context);
  const whole = own.missing === undefined ? undefined : withStatement(clause, context);
  const wider = whole && extract(whole, tool, context);
  return toReading(tool, wider && wider.missing === undefined ? wider : own, score);
}

/** `I owe Tom forty euros, could you transfer it to him?`: the clause with what was said before it. */
function withStatement(clause: TokenText, { steps }: ReadContext): TokenText | undefined {
  const [first] = clause.tokens;
  const last = clause.tokens.at(-1);
  if (
    steps.length > 0 ||
    clause.source.length > MAX_SOURCE ||
    !first ||
    !last ||
    !pointsToEarlier(clause.tokens)
  )
    return undefined;
  const { source, tokens } = tokenize(clause.source);
  const known = tokens.filter(({ end }) => end <= last.end);
  return known[0]?.start === first.start ? undefined : { source, tokens: known };
}

function extract(clause: TokenText, tool: ToolDescription, context: ReadContext): Extraction {
  const earlier = earlierOutput(context);
  return extractArguments(clause, tool, {
    ...(earlier ? { earlier } : {}),
    calls: context.steps,
    tools: context.tools,
  });
}

function toReading(
  tool: ToolDescription,
  { args, missing, repeats, state }: Extraction,
  score: number,
): Reading {
  if (repeats) return { score, steps: [] };
  const unplaced = missing === undefined ? findUnplaced(state) : undefined;
  if (unplaced !== undefined) {
    const unclear = `What "${unplaced.slice(0, 80)}" is for in a call of ${tool.name} is not clear.`;
    return incomplete(score - 0.1, { message: unclear, toolName: tool.name, extractedArgs: args });
  }
  if (missing === undefined) return { score, steps: [{ toolName: tool.name, args }] };
  const message = `"${missing}" is missing: ${describe(tool, missing)}.`;
  return incomplete(score - 0.1, { message, missing, toolName: tool.name, extractedArgs: args });
}

function describe(tool: ToolDescription, name: string): string {
  const description = tool.parameters[name]?.description ?? '';
  return description === '' ? `${tool.name} needs it` : description.replace(/\.$/, '');
}
