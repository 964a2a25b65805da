import type { GetPromptResult, Prompt } from '@modelcontextprotocol/server';
import type { PredefinedWorkflow } from '../../src/contracts/http/workflows';
import type { WorkflowCatalogue } from '../../src/workflow-definitions/catalogue';
import type { WorkflowHead } from '../../src/workflow-definitions/workflow-head';
import { findWorkflow } from './find-workflow';
import type { PromptSource } from './prompt-source';
import { toolOfWorkflow } from './workflow-tools';

/** Creates the source of prompts that ask to run a workflow. Its inputs are the arguments. */
export function workflowPrompts(catalogue: Pick<WorkflowCatalogue, 'list' | 'get'>): PromptSource {
  return {
    list: async () => (await catalogue.list()).map(toPrompt),
    async get(name, inputs) {
      const workflow = await findWorkflow(catalogue, name);
      return workflow === undefined ? undefined : toMessages(workflow, inputs);
    },
  };
}

function toPrompt({ id, name, description, inputs }: WorkflowHead): Prompt {
  return {
    name: id,
    title: name,
    description,
    arguments: Object.entries(inputs).map(([input, { description: about, required }]) => ({
      name: input,
      description: about,
      required,
    })),
  };
}

function toMessages(
  { id, description }: PredefinedWorkflow,
  inputs: Readonly<Record<string, string>>,
): GetPromptResult {
  const text = `Call the tool ${toolOfWorkflow(id)} with these arguments and report its result: ${JSON.stringify(inputs)}`;
  return { description, messages: [{ role: 'user', content: { type: 'text', text } }] };
}
