import type { PredefinedWorkflow } from '../contracts/http/workflows';

/** What lists show of a workflow, whose steps may be long. */
export interface WorkflowHead extends Pick<
  PredefinedWorkflow,
  'id' | 'name' | 'description' | 'estimatedTime'
> {
  /** The number of steps. */
  readonly steps: number;
  readonly inputs: Readonly<Record<string, InputHead>>;
}

export interface InputHead {
  readonly description: string;
  /** Whether a caller has to give it. */
  readonly required: boolean;
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
    ...(estimatedTime === undefined ? {} : { estimatedTime }),
    steps: steps.length,
    inputs: Object.fromEntries(
      Object.entries(inputs).map(([input, { description: about, required, default: value }]) => [
        input,
        { description: about, required: required && value === undefined },
      ]),
    ),
  };
}
