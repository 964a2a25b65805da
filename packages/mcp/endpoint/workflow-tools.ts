import type { Tool } from '@modelcontextprotocol/server';
import { withObjectType } from '../../../src/contracts/http/tool-schemas';
import type { WorkflowCatalogue } from '../../../src/workflow-definitions/catalogue';
import { headOf, type WorkflowHead } from '../../../src/workflow-definitions/workflow-head';
import type { CustomRuns } from '../../../requests/custom-runs';
import type { ToolSource } from './sources';
import { isHoldfastError } from '../../../src/base/errors';
import type { PredefinedWorkflow } from '../../../src/contracts/http/workflows';

const PREFIX = 'workflow_';

/** The name of the tool that runs a workflow. Pure. */
export function toolOfWorkflow(id: string): string {
  return PREFIX + id;
}

/** Creates the source of the workflows that are run by their ids. Their inputs are the arguments. */
export function workflowTools(catalogue: WorkflowCatalogue, runs: Pick<CustomRuns, 'run'>): ToolSource {
  return {
    list: async () => (await catalogue.list()).map(toTool),
    async find(name) {
      if (!name.startsWith(PREFIX)) return undefined;
      const workflow = await findWorkflow(catalogue, name.slice(PREFIX.length));
      if (workflow === undefined) return undefined;
      return {
        definition: toTool(headOf(workflow)),
        workflowType: 'customWorkflow',
        call: (inputs, context) => runs.run({ workflow: workflow.id, inputs }, context),
      };
    },
  };
}

function toTool({ id, name, description, inputSchema }: WorkflowHead): Tool {
  return {
    name: toolOfWorkflow(id),
    title: name,
    description,
    // The schema is JSON, which its own type does not say.
    inputSchema: withObjectType(inputSchema) as Tool['inputSchema'],
  };
}

/** @returns undefined if there is no such workflow @throws HoldfastError as the store does */
export async function findWorkflow(
  catalogue: Pick<WorkflowCatalogue, 'get'>,
  id: string,
): Promise<PredefinedWorkflow | undefined> {
  try {
    return await catalogue.get(id);
  } catch (error) {
    if (isHoldfastError(error) && error.code === 'WORKFLOW_NOT_FOUND') return undefined;
    throw error;
  }
}
