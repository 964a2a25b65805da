import { isHoldfastError } from '../../src/base/errors';
import type { PredefinedWorkflow } from '../../src/contracts/http/workflows';
import type { WorkflowCatalogue } from '../../src/workflow-definitions/catalogue';

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
