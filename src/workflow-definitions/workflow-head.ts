import type { JsonSchema } from '../contracts/http/tools';
import { readInputs } from '../tools/parameters';
import type { PredefinedWorkflow } from '../contracts/http/workflows';

/** What lists show of a workflow, whose steps may be long. */
export interface WorkflowHead extends Pick<
  PredefinedWorkflow,
  'id' | 'name' | 'description' | 'estimatedTime'
> {
  /** The number of steps. */
  readonly steps: number;
  /** The inputs, as a schema. */
  readonly inputSchema: JsonSchema;
}

/** Takes from a workflow what lists show. Pure. */
export function headOf({
  id,
  name,
  description,
  estimatedTime,
  steps,
  inputs,
}: PredefinedWorkflow): WorkflowHead {
  return {
    id,
    name,
    description,
    estimatedTime,
    steps: steps.length,
    inputSchema: readInputs(inputs),
  };
}
