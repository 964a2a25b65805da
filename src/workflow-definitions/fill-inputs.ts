import type { PredefinedWorkflow } from '../contracts/http/workflows';
import { apiCallDeclaration } from '../tools/builtin/declarations';
import { workflowProblem } from './problems';

/**
 * Builds the inputs of a run of a predefined workflow: the given ones, and the defaults of those that are not given.
 * @throws HoldfastError `WORKFLOW_INVALID` naming a missing or unknown input
 */
export function fillInputs(
  { id, inputs: declared }: PredefinedWorkflow,
  given: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(declared, name));
  if (unknown !== undefined) {
    const known = Object.keys(declared).join(', ') || 'none';
    throw workflowProblem(
      null,
      `inputs.${unknown.slice(0, 64)}`,
      `is not an input of "${id}"; it takes ${known}`,
    );
  }
  const filled: Record<string, unknown> = { ...given };
  for (const [name, input] of Object.entries(declared)) {
    if (Object.hasOwn(given, name)) continue;
    if (input.required && input.default === undefined) {
      throw workflowProblem(null, `inputs.${name}`, `is required by "${id}"`);
    }
    filled[name] = input.default ?? null;
  }
  return filled;
}

/** Lists the tools that a workflow's steps run, each once, in the order of the steps. */
export function requiredTools({ steps }: Pick<PredefinedWorkflow, 'steps'>): string[] {
  const names = steps.flatMap((step) => {
    if (step.type === 'tool_execution') return [step.config.toolName];
    return step.type === 'api_call' ? [apiCallDeclaration.name] : [];
  });
  return [...new Set(names)];
}
