import type { ToolParameters } from '../types';
import { isObject } from '../text/json-text';
import { notUnderstood, parseReference, type PlannedStep, type StepOutput } from '../reading/reading';

/**
 * The arguments of a step with the outputs of earlier steps in place of the references.
 * @throws PlainEnglishError `QUERY_NOT_UNDERSTOOD` where a reference leads nowhere
 */
export function resolveStep(
  { toolName, args }: PlannedStep,
  outputs: readonly StepOutput[],
  parameters: ToolParameters,
): Record<string, unknown> {
  const resolved: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(args)) {
    const reference = parseReference(value);
    const raw = reference ? follow(reference.step, reference.path, outputs, toolName) : value;
    resolved[name] = reference ? fit(raw, parameters[name]?.type) : raw;
  }
  return resolved;
}

function follow(
  step: number,
  path: readonly string[],
  outputs: readonly StepOutput[],
  toolName: string,
): unknown {
  const source = outputs[step - 1];
  let value =
    source?.toolName === 'json_reader' && isObject(source.output) ? source.output['result'] : source?.output;
  for (const name of path) {
    if (!isObject(value) || !Object.hasOwn(value, name)) {
      throw notUnderstood(`The output of step ${step} has no "${name}", which ${toolName} needs.`, {
        toolName,
      });
    }
    value = value[name];
  }
  return value;
}

/** A text parameter takes other values as JSON; a number that came as text is read. */
function fit(value: unknown, type: string | undefined): unknown {
  if (type === 'string' && typeof value !== 'string')
    return value === undefined ? value : JSON.stringify(value);
  if ((type === 'number' || type === 'integer') && typeof value === 'string' && value.trim() !== '') {
    const number = Number(value.trim());
    return Number.isFinite(number) ? number : value;
  }
  // What wraps its one value in an object means the value.
  if ((type === 'number' || type === 'integer') && isObject(value)) {
    const numbers = Object.values(value).filter((item) => typeof item === 'number');
    return numbers.length === 1 ? numbers[0] : value;
  }
  return value;
}
