import type { ToolDescription } from '../types';
import { readCurl } from '../requests/curl';
import type { PlannedStep, ReadContext, StepOutput } from '../reading/reading';
import { notUnderstood, parseReference } from '../reading/steps';
import { tokenize } from '../text/tokenizer';
import { findProblem } from './check-arguments';
import { Planner } from './planner';
import { readClause, readerOf, type ReadClause } from './readers';

export interface Plan {
  readonly steps: readonly PlannedStep[];
}

/** Longest query that is read for tools, and longest prompt that is answered from its own text, characters. */
const MAX_QUERY_LENGTH = 1_000;
const MAX_PROMPT_LENGTH = 10_000;
/** Most calls in one plan. */
const MAX_STEPS = 50;

/**
 * The tool calls that a sentence asks for, in order. By rules alone: the same sentence and outputs always give the same plan, and a
 * sentence with a part that no rule reads gives none.
 * @param outputs of the first calls, if these have run; documents among them are looked into
 * @throws PlainEnglishError `QUERY_NOT_UNDERSTOOD` with details `{ field, message, missing?, toolName?, extractedArgs? }`
 */
export function understand(
  query: string,
  tools: readonly ToolDescription[],
  outputs: readonly StepOutput[] = [],
): Plan {
  return read(query, { tools, steps: [], outputs }, readClause, MAX_QUERY_LENGTH);
}

/** The tool calls that a prompt asks for, which may be longer. @throws PlainEnglishError as `understand` does */
export function understandPrompt(text: string, tools: readonly ToolDescription[]): Plan {
  return read(text, { tools, steps: [], outputs: [] }, readClause, MAX_PROMPT_LENGTH);
}

/**
 * The one call of a given tool that a sentence asks for, even if its words alone would not choose the tool.
 * @throws PlainEnglishError as `understand` does
 */
export function understandFor(query: string, tool: ToolDescription): Plan {
  const plan = read(query, { tools: [tool], steps: [], outputs: [] }, readerOf(tool), MAX_QUERY_LENGTH);
  if (plan.steps.length <= 1) return plan;
  throw notUnderstood(`More than one call of ${tool.name} is asked for.`, { toolName: tool.name });
}

function read(query: string, context: ReadContext, readAll: ReadClause, maxLength: number): Plan {
  if (query.length > maxLength)
    throw notUnderstood(`The text is longer than the ${maxLength} characters that are read for tools.`);
  if (query.trim() === '') throw notUnderstood('There is no text.');
  // It would be taken for the output of a call.
  if (/\{\{\s*\d/.test(query)) throw notUnderstood('What "{{" is for in the text is not clear.');
  const curl = /\bcurl\s/.test(query) ? readCurl(query, context) : undefined;
  const steps = curl ?? new Planner(tokenize(query), context, readAll).plan();
  if (steps.length > MAX_STEPS) throw notUnderstood(`More than ${MAX_STEPS} calls are asked for.`);
  for (const step of steps) checkStep(step, context.tools);
  return { steps };
}

/** A plan never asks for a call that the tool would refuse; what is a reference is checked when it is known. */
function checkStep({ toolName, args }: PlannedStep, tools: readonly ToolDescription[]): void {
  const tool = tools.find(({ name }) => name === toolName);
  if (!tool) throw notUnderstood(`The text asks for ${toolName}, which is not offered.`);
  const problem = findProblem(tool.parameters, args, (value) => parseReference(value) !== undefined);
  if (problem === undefined) return;
  const { name, message } = problem;
  throw notUnderstood(`${name}: ${message}`, { missing: name, toolName, extractedArgs: args });
}
