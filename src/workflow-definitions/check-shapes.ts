import type { HoldfastError } from '../base/errors';
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

/** The maximum of references times written items that are followed. The run itself checks the others. */
const MAX_FOLLOWED = 100_000;

/**
 * Checks references to results by what these are whatever their tools answer: a path that no answer can have, items that are
 * no list, and arguments of a wrong type. Checks references to items that are written in the definition, too.
 * @param tools those of the steps, as they are now
 */
export function* shapeProblems(
  steps: readonly WorkflowStep[],
  tools: ReadonlyMap<string, StoredTool>,
): Generator<HoldfastError> {
  const shapes = new Map(
    steps.map((step) => {
      const tool = tools.get(toolOf(step) ?? '');
      const called = tool && { toolName: tool.name, implementation: tool.implementation };
      return [step.id, shapeOfResult(step, called)] as const;
    }),
  );
  let left = MAX_FOLLOWED;
  const mayFollow = (): boolean => (left -= 1) >= 0;
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
        yield workflowProblem(step.id, field, `${showReference(expression.text)}: ${value.problem}`);
    }
    yield* kindProblems(step, tools, known);
    yield* itemProblems(step, mayFollow);
  }
}

function* kindProblems(
  step: WorkflowStep,
  tools: ReadonlyMap<string, StoredTool>,
  known: (expression: TemplateReference) => KnownValue | undefined,
): Generator<HoldfastError> {
  function* check(
    field: string,
    written: unknown,
    takes: (kind: Shape['kind']) => boolean,
    wanted: string,
  ): Generator<HoldfastError> {
    const reference = soleReference(written);
    const value = reference && known(reference);
    if (reference === undefined || value === undefined || 'problem' in value || value.shape === undefined)
      return;
    const { kind, parts } = value.shape;
    if (takes(kind)) return;
    const what = `${showReference(reference.text)} is ${/^o/.test(kind) ? 'an' : 'a'} ${kind}`;
    yield workflowProblem(step.id, field, `must be ${wanted}; ${what}${describeNames(parts, '')}`);
  }
  yield* check('forEach.items', step.forEach?.items, (kind) => kind === 'list', 'a list');
  if (step.type !== 'tool_execution') return;
  const { toolName, args } = step.config;
  for (const [name, { type }] of Object.entries(parametersOf(tools.get(toolName)?.inputSchema ?? {}))) {
    const written = Object.hasOwn(args, name) ? args[name] : undefined;
    yield* check(`config.args.${name}`, written, (kind) => TAKEN_BY[kind].includes(type), `of type ${type}`);
  }
}

/** The reference that stands alone in a text; undefined for any other value. */
function soleReference(written: unknown): TemplateReference | undefined {
  const parts = typeof written === 'string' ? parseTemplate(written) : [];
  const [only] = parts;
  return parts.length === 1 && typeof only !== 'string' && only?.then === undefined ? only : undefined;
}

/** Follows references to items that are written in the definition. */
function* itemProblems(
  { id, forEach, config }: WorkflowStep,
  mayFollow: () => boolean,
): Generator<HoldfastError> {
  if (!Array.isArray(forEach?.items)) return;
  const items = [...forEach.items.entries()].filter(([, item]) => !hasExpressions(item));
  for (const [name, value] of Object.entries(config)) {
    for (const expression of findReferencesIn(value)) {
      if (expression.root !== 'item' || expression.isOptional === true) continue;
      for (const [index, item] of items) {
        if (!mayFollow()) return;
        try {
          followPath(item, expression);
        } catch (error) {
          if (!(error instanceof TemplateReferenceError)) throw error;
          const problem = `${error.message}, in the item with the index ${index}`;
          yield workflowProblem(id, `config.${name}`, problem);
          break;
        }
      }
    }
  }
}
