import type { WorkflowStep } from '../contracts/http/workflows';
import { isJsonObject } from '../contracts/json';
import type { ToolCall } from '../contracts/runs/tools';
import { describeNames } from './known-names';
import type { TemplateReference } from './expression';
import { showReference } from './resolve';

/**
 * What is known of a value before the run: its kind, and for an object its parts if no other is possible. What comes from
 * outside, such as the body of a response, has no shape: it may be anything.
 */
export interface Shape {
  readonly kind: 'text' | 'number' | 'list' | 'object';
  readonly parts?: Readonly<Record<string, Shape | undefined>>;
}

const TEXT: Shape = { kind: 'text' };
const NUMBER: Shape = { kind: 'number' };
const LIST: Shape = { kind: 'list' };
const OPEN_OBJECT: Shape = { kind: 'object' };

/** The results of the built-in tools. */
const BUILTIN: Readonly<Record<string, Shape>> = {
  calculator: NUMBER,
  api_call: {
    kind: 'object',
    parts: {
      status: NUMBER,
      data: undefined,
      encoding: undefined,
      headers: OPEN_OBJECT,
      pages: NUMBER,
      hasMore: undefined,
    },
  },
  json_reader: { kind: 'object', parts: { result: undefined, path: TEXT } },
  file_read: { kind: 'object', parts: { path: TEXT, content: TEXT, size: NUMBER, encoding: TEXT } },
  weather: OPEN_OBJECT,
};

/**
 * The shape of a step's result if the step completes; undefined if its tool decides. Pure.
 * @param tool absent for a step that asks a model
 */
export function shapeOfResult(
  { type, forEach, config }: Pick<WorkflowStep, 'type' | 'forEach' | 'config'>,
  tool: Pick<ToolCall, 'toolName' | 'implementation'> | undefined,
): Shape | undefined {
  if (forEach !== undefined) return LIST;
  if (type === 'llm_call') return shapeOfAnswer(config as LlmCallConfig);
  return tool?.implementation.kind === 'builtin' ? BUILTIN[tool.toolName] : undefined;
}

type LlmCallConfig = Extract<WorkflowStep, { readonly type: 'llm_call' }>['config'];

function shapeOfAnswer({ schema }: LlmCallConfig): Shape | undefined {
  return schema === undefined ? TEXT : shapeOfSchema(schema);
}

const KINDS: Readonly<Record<string, Shape>> = {
  string: TEXT,
  number: NUMBER,
  integer: NUMBER,
  array: LIST,
  object: OPEN_OBJECT,
};

/** The shape of a value that fits a schema. Only a closed object that combines no schemas has no other parts. */
function shapeOfSchema(schema: unknown): Shape | undefined {
  const { type, properties, additionalProperties, ...rest } = isJsonObject(schema) ? schema : {};
  const shape = typeof type === 'string' ? KINDS[type] : undefined;
  const isClosed = additionalProperties === false && !('patternProperties' in rest);
  if (shape !== OPEN_OBJECT || !isClosed || !isJsonObject(properties)) return shape;
  const parts = Object.entries(properties).map(([name, part]) => [name, shapeOfSchema(part)] as const);
  return { kind: 'object', parts: Object.fromEntries(parts) };
}

/** What is known of the value of a reference. */
export type KnownValue =
  /** `isOutside`: the reference leads into data that a tool, a server or a model decides. */
  | { readonly shape: Shape | undefined; readonly isOutside: boolean }
  /** The value cannot have such a part, whatever the step answers. */
  | { readonly problem: string };

/** Follows a path below a step's result. Pure. */
export function followShape(result: Shape | undefined, path: TemplateReference['path']): KnownValue {
  let shape = result;
  for (const part of path) {
    if (shape === undefined || (shape.kind === 'object' && shape.parts === undefined))
      return { shape: undefined, isOutside: true };
    const { kind, parts } = shape;
    if (kind === 'list' && (typeof part === 'number' || /^(?:\d+|length)$/.test(part)))
      return { shape: undefined, isOutside: true };
    if (parts === undefined || !Object.hasOwn(parts, part)) {
      const what = `there is no "${showReference(part)}" in ${kind === 'list' ? 'a list' : kind}`;
      return { problem: `${what}${describeNames(parts, part)}` };
    }
    shape = parts[part];
    if (shape === undefined) return { shape, isOutside: true };
  }
  return { shape, isOutside: false };
}

/** The step whose result a reference names, and the path below that result. */
export interface ResultReference {
  readonly step: string;
  readonly path: TemplateReference['path'];
}

/**
 * Finds the result that a reference of a step names; undefined if it names none.
 * @param isStep whether there is a step of that id
 * @param previous id of the step that is listed before
 * @param shapeOf returns what is known of the result of a step
 */
export function resultReference(
  { root, path }: TemplateReference,
  {
    isStep,
    previous,
    shapeOf,
  }: {
    isStep(id: string): boolean;
    readonly previous: string | undefined;
    shapeOf(id: string): Shape | undefined;
  },
): ResultReference | undefined {
  if (root === 'previous_result') return previous === undefined ? undefined : { step: previous, path };
  if (!isStep(root) || path[0] !== 'result') return undefined;
  const below = path.slice(1);
  const shape = shapeOf(root);
  // A result that is no object may be named `result` once more, as other responses show it.
  const isNamedTwice = below[0] === 'result' && shape !== undefined && shape.kind !== 'object';
  return { step: root, path: isNamedTwice ? below.slice(1) : below };
}
