import { z } from 'zod';
import { validationError } from '../../src/base/errors';
import { callerToolSchema, type CallerTool } from '../../src/contracts/http/caller-tools';
import { jsonObjectSchema } from '../../src/contracts/http/text-schema';
import { parseInput } from '../http/input';
import { unsupported } from './errors';

/** A function as Chat Completions has it in `function`, and Responses in the tool itself. */
const functionSchema = z.looseObject({
  name: z.string(),
  description: z.string().nullish(),
  parameters: jsonObjectSchema.nullish(),
});
const toolSchema = z.looseObject({ type: z.string(), function: functionSchema.optional() });
const choiceSchema = z.union([
  z.enum(['auto', 'none', 'required']),
  z.looseObject({
    type: z.literal('function'),
    name: z.string().optional(),
    function: z.looseObject({ name: z.string() }).optional(),
  }),
]);

/** The tools that the caller runs, and what it says about the use of tools. */
export interface CallerTools {
  readonly callerTools: readonly CallerTool[];
  /** Whether no tools may be called, those of the service included. */
  readonly withoutTools: boolean;
  /** Whether the model has to call a tool before it answers. */
  readonly mustCall: boolean;
}

/**
 * Reads `tools` and `tool_choice` of a request.
 * @throws HoldfastError `VALIDATION`, also for tools of OpenAI itself
 */
export function readCallerTools(given: Readonly<Record<string, unknown>>): CallerTools {
  for (const name of ['functions', 'function_call'])
    if (given[name] !== undefined)
      throw unsupported(name, `Send tools and tool_choice in the place of ${name}`);
  const tools = parseInput(z.array(toolSchema).default([]), given['tools'], 'tools') as z.output<
    typeof toolSchema
  >[];
  const callerTools = tools.map((tool, index) => readTool(tool, `tools[${index}]`));
  const choice = parseInput(choiceSchema.default('auto'), given['tool_choice'], 'tool_choice') as z.output<
    typeof choiceSchema
  >;
  if (choice === 'none') return { callerTools: [], withoutTools: true, mustCall: false };
  if (typeof choice === 'string')
    return { callerTools, withoutTools: false, mustCall: choice === 'required' };
  const name = choice.function?.name ?? choice.name;
  const chosen = callerTools.filter((tool) => tool.name === name);
  if (chosen.length === 0) throw validationError('tool_choice', `tools has no function named "${name}"`);
  return { callerTools: chosen, withoutTools: true, mustCall: true };
}

function readTool(tool: z.output<typeof toolSchema>, field: string): CallerTool {
  if (tool.type !== 'function')
    throw unsupported(
      `${field}.type`,
      `Tools of the type "${tool.type}" are not supported; those of the service run by themselves`,
    );
  const { name, description, parameters } =
    tool.function ?? (parseInput(functionSchema, tool, field) as z.output<typeof functionSchema>);
  return parseInput(
    callerToolSchema,
    { name, description: description ?? undefined, inputSchema: parameters ?? undefined },
    field,
  ) as CallerTool;
}
