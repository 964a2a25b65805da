import type { ParameterType, StoredTool } from '../contracts/http/tools';
import type { WorkflowStep } from '../contracts/http/workflows';
import { parametersOf } from '../contracts/http/tool-schemas';
import { parseTemplate, type TemplateReference } from '../templates/expression';
import { describeNames } from '../templates/known-names';
import {
  findReferencesIn,
  followPath,
  hasExpressions,
  showReference,
  TemplateReferenceError,
} from '../templates/resolve';
import {
  followShape,
  type KnownValue,
  resultReference,
  type Shape,
  shapeOfResult,
} from '../templates/result-shapes';
import { toolOf } from './check-calls';
import { workflowProblem } from './problems';
import { findReferences } from './references';

/** The parameter types that take a value of a kind. A parameter that takes text takes every value, as its JSON. */
const TAKEN_BY: Readonly<Record<Shape['kind'], readonly ParameterType[]>> = {
  text: ['any', 'string'],
  number: ['any', 'string', 'number', 'integer'],
  list: ['any', 'string', 'array'],
  object: ['any', 'string', 'object'],
};

/**
 * Checks references to results by what these are whatever their tools answer: a path that no answer can have, items that are
 * no list, and arguments of a wrong type. Checks references to items that are written in the definition, too.
 * @param tools those of the steps, as they are now
 * @throws HoldfastError `WORKFLOW_INVALID` for the first problem
 */
export function checkShapes(steps: readonly WorkflowStep[], tools: ReadonlyMap<string, StoredTool>): void {
  const shapes = new Map(
    steps.map((step) => {
      const tool = tools.get(toolOf(step) ?? '');
      const called = tool && { toolName: tool.name, implementation: tool.implementation };
      return [step.id, shapeOfResult(step, called)] as const;
    }),
  );
  for (const [index, step] of steps.entries()) {
    const known = (expression: TemplateReference): KnownValue | undefined => {
      const named = resultReference(expression, {
        isStep: (id) => shapes.has(id),
        previous: steps[index - 1]?.id,
        shapeOf: (id) => shapes.get(id),
      });
      return named && followShape(shapes.get(named.step), named.path);
    };
    for (const { expression, field } of findReferences(step)) {
      const value = known(expression);
      if (value !== undefined && 'problem' in value)
        throw workflowProblem(step.id, field, `${showReference(expression.text)}: ${value.problem}`);
    }
    checkKinds(step, tools, known);
    checkItemParts(step);
  }
}

function checkKinds(
  step: WorkflowStep,
  tools: ReadonlyMap<string, StoredTool>,
  known: (expression: TemplateReference) => KnownValue | undefined,
): void {
  const check = (
    field: string,
    written: unknown,
    takes: (kind: Shape['kind']) => boolean,
    wanted: string,
  ): void => {
    const reference = soleReference(written);
    const value = reference && known(reference);
    if (reference === undefined || value === undefined || 'problem' in value || value.shape === undefined)
      return;
    const { kind, parts } = value.shape;
    if (takes(kind)) return;
    const what = `${showReference(reference.text)} is ${/^o/.test(kind) ? 'an' : 'a'} ${kind}`;
    throw workflowProblem(step.id, field, `must be ${wanted}; ${what}${describeNames(parts, '')}`);
  };
  check('forEach.items', step.forEach?.items, (kind) => kind === 'list', 'a list');
  if (step.type !== 'tool_execution') return;
  const { toolName, args } = step.config;
  for (const [name, { type }] of Object.entries(parametersOf(tools.get(toolName)?.inputSchema ?? {}))) {
    const written = Object.hasOwn(args, name) ? args[name] : undefined;
    check(`config.args.${name}`, written, (kind) => TAKEN_BY[kind].includes(type), `of type ${type}`);
  }
}

/** The reference that stands alone in a text; undefined for any other value. */
function soleReference(written: unknown): TemplateReference | undefined {
  const parts = typeof written === 'string' ? parseTemplate(written) : [];
  const [only] = parts;
  return parts.length === 1 && typeof only !== 'string' && only?.then === undefined ? only : undefined;
}

/** Follows references to items that are written in the definition. */
function checkItemParts({ id, forEach, config }: WorkflowStep): void {
  const items: unknown = forEach?.items;
  if (!Array.isArray(items)) return;
  for (const [name, value] of Object.entries(config)) {
    for (const expression of findReferencesIn(value)) {
      if (expression.root !== 'item' || expression.isOptional === true) continue;
      for (const [index, item] of items.entries()) {
        if (hasExpressions(item)) continue;
        try {
          followPath(item, expression);
        } catch (error) {
          if (!(error instanceof TemplateReferenceError)) throw error;
          throw workflowProblem(
            id,
            `config.${name}`,
            `${error.message}, in the item with the index ${index}`,
          );
        }
      }
    }
  }
}
