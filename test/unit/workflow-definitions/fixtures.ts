import {
  type PredefinedWorkflow,
  predefinedWorkflowSchema,
  type WorkflowStep,
  workflowStepSchema,
} from '../../../src/contracts/http/workflows';
import type { StoredTool } from '../../../src/contracts/http/tools';
import { builtinDefinitions } from '../../../src/tools/builtin/declarations';
import { type HoldfastError, isHoldfastError } from '../../../src/base/errors';

type Parts = Readonly<Record<string, unknown>>;

/** A step as the schema reads it from a request. */
export function step(parts: Parts): WorkflowStep {
  return workflowStepSchema.parse(parts);
}

export function fetchStep(id: string, config: Parts = {}, more: Parts = {}): WorkflowStep {
  return step({ id, type: 'api_call', config: { url: 'http://peer/', ...config }, ...more });
}

export function toolStep(id: string, toolName: string, args: Parts = {}, more: Parts = {}): WorkflowStep {
  return step({ id, type: 'tool_execution', config: { toolName, args }, ...more });
}

export function modelStep(id: string, config: Parts = {}, more: Parts = {}): WorkflowStep {
  return step({ id, type: 'llm_call', config: { prompt: 'Say hello', ...config }, ...more });
}

export function workflow(id: string, parts: Parts = {}): PredefinedWorkflow {
  return predefinedWorkflowSchema.parse({
    id,
    name: `Workflow ${id}`,
    steps: [fetchStep('fetch')],
    ...parts,
  });
}

/** The error of a check. Throws if the check passes. */
export async function errorOf(check: () => unknown): Promise<HoldfastError> {
  try {
    await check();
  } catch (error) {
    if (isHoldfastError(error)) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

/** A registry that has the built-in tools alone. */
export const builtinRegistry = {
  getMany: (names: readonly string[]): Promise<ReadonlyMap<string, StoredTool>> =>
    Promise.resolve(
      new Map(
        builtinDefinitions
          .filter(({ name }) => names.includes(name))
          .map((tool): [string, StoredTool] => [
            tool.name,
            { ...tool, implementation: { kind: 'builtin' }, registeredAt: '2026-01-01T00:00:00.000Z' },
          ]),
      ),
    ),
};

/** Takes every schema of an answer. */
export const schemas = { findFault: () => Promise.resolve(undefined) };
