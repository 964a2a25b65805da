import type { GetPromptResult, Prompt } from '@modelcontextprotocol/server';
import type { JsonSchema } from '../../../src/contracts/http/tools';
import { parametersOf } from '../../../src/contracts/http/tool-schemas';
import type { PredefinedWorkflow } from '../../../src/contracts/http/workflows';
import type { ArgumentChecks } from '../../../src/tools/argument-check';
import { readInputs } from '../../../src/tools/parameters';
import type { WorkflowCatalogue } from '../../../src/workflow-definitions/catalogue';
import { checkInputs } from '../../../src/workflow-definitions/fill-inputs';
import type { WorkflowHead } from '../../../src/workflow-definitions/workflow-head';
import { contextOf } from './exchange';
import { offeredName } from './offered-names';
import { toolOfWorkflow, findWorkflow } from './workflow-tools';
import type { PromptSource } from './sources';

/** Creates the source of prompts that ask to run a workflow. Its inputs are the arguments, and are checked as those of a run. */
export function workflowPrompts(
  catalogue: Pick<WorkflowCatalogue, 'list' | 'get'>,
  checks: ArgumentChecks,
): PromptSource {
  return {
    list: async () => (await catalogue.list()).map(toPrompt),
    async get(name, texts, mcp) {
      const workflow = await findWorkflow(catalogue, name);
      if (workflow === undefined) return undefined;
      const inputs = readTexts(texts, readInputs(workflow.inputs));
      const { owner, signal } = contextOf(mcp);
      const using = { check: checks.of(owner), signal: signal() };
      return toMessages(workflow, await checkInputs(workflow, inputs, using));
    },
  };
}

function toPrompt({ id, name, description, inputSchema }: WorkflowHead): Prompt {
  const properties = (inputSchema['properties'] ?? {}) as Readonly<Record<string, { default?: unknown }>>;
  return {
    name: id,
    title: name,
    description,
    arguments: Object.entries(parametersOf(inputSchema)).map(([input, { description: about, required }]) => ({
      name: input,
      description: about,
      required: required && properties[input]?.default === undefined,
    })),
  };
}

/** The arguments of a prompt are texts, so that an input of another type is written as JSON. */
function readTexts(texts: Readonly<Record<string, string>>, schema: JsonSchema): Record<string, unknown> {
  const declared = parametersOf(schema);
  return Object.fromEntries(
    Object.entries(texts).map(([name, text]) => {
      const type = Object.hasOwn(declared, name) ? declared[name]?.type : undefined;
      return [name, type === undefined || type === 'string' || type === 'any' ? text : parseText(text)];
    }),
  );
}

function parseText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function toMessages(
  { id, description }: PredefinedWorkflow,
  inputs: Readonly<Record<string, unknown>>,
): GetPromptResult {
  const text = `Call the tool ${offeredName(toolOfWorkflow(id))} with these arguments and report its result: ${JSON.stringify(inputs)}`;
  return { description, messages: [{ role: 'user', content: { type: 'text', text } }] };
}
