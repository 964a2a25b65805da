import type { ToolParameters } from '../types';
import { lookUp } from '../json/asked';
import { isObject } from '../json/is-object';
import { queryJson } from '../json/query';
import { readAsked } from '../json/read';
import { tokenize } from '../text/tokenizer';
import { notUnderstood } from './problem';
import { parseReference, type PlannedStep } from './step';

/** The output of a step that has run. */
export interface StepOutput {
  readonly toolName: string;
  readonly output: unknown;
}

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
  if (toolName === 'json_reader') resolved['path'] = findPath(resolved);
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

/** The path as guessed where it is there, otherwise what its names mean in the document as it is. */
function findPath({ path: guess, jsonString }: Readonly<Record<string, unknown>>): unknown {
  try {
    const document: unknown = JSON.parse(String(jsonString));
    const found = queryJson(String(guess), document);
    if (found === undefined || found.length > 0 || !/^\$(?:\.\w+)+$/.test(String(guess))) return guess;
    const names = String(guess).slice(2).split('.').reverse().join(' of ').replaceAll('_', ' ');
    return readAsked(lookUp(tokenize(names).tokens, [document]))[0]?.path ?? guess;
  } catch {
    // The tool's own error says what is wrong with the text or that the path is not there.
    return guess;
  }
}
