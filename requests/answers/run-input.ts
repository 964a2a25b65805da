import { HIDDEN } from '../../src/contracts/redact';
import type { ToolCall } from '../../src/contracts/runs/tools';
import type { CustomWorkflowInput } from '../../src/contracts/runs/workflows';
import type { Redactor } from '../../src/secrets/redactor';
import { isJsonObject } from '../../src/contracts/json';
import { findReferencesIn } from '../../src/templates/resolve';
import type * as workflows from '../../workflows';

type Workflows = typeof workflows;
type Hiding = Pick<Redactor, 'isCredential' | 'value'>;

/**
 * What callers see of the input of a run, by workflow type: what was asked, without what the service adds for its run, such as the
 * sources of tools, limits and prices. A type is absent if nothing was asked.
 */
type RunInputMappings = {
  readonly [Type in keyof Workflows]?: (input: Parameters<Workflows[Type]>[0], hiding: Hiding) => unknown;
};

const toCall = ({ toolName, args }: ToolCall): object => ({ toolName, args });
const MAPPINGS: RunInputMappings = {
  agentSelfTest: ({ turns }) => ({
    turns: turns.map(({ turn: { query }, description }) => ({ query, description })),
  }),
  agentTurn: ({ query, files, userId, sessionId, agent, instructions, tools, responseSchema, choice }) => ({
    query,
    userId,
    sessionId,
    agent,
    instructions,
    tools,
    responseSchema,
    provider: choice.provider,
    model: choice.model,
    ...(files && { attachments: files }),
  }),
  classifyBatch: ({ queries }) => ({
    queries: queries.map((one) => ({ id: one.id, ...('query' in one ? { query: one.query } : {}) })),
  }),
  consolidateMemories: ({ userId, consolidationId }) => ({ userId, dryRun: consolidationId === undefined }),
  customWorkflow: (input, hiding) => ({
    workflow: { name: input.name, steps: input.steps.map(({ step }) => step) },
    inputs: withoutCredentials(input, hiding),
  }),
  executeTool: ({ call }) => toCall(call),
  executeToolFromQuery: ({ query, tool, choice: { provider, model } }) => ({
    query,
    toolName: tool.name,
    provider,
    model,
  }),
  executeToolsInParallel: ({ calls }) => ({ tools: calls.map(toCall) }),
  executeToolsInSequence: ({ calls }) => ({ tools: calls.map(toCall) }),
  importMemories: ({ userId, importId }) => ({ userId, importId }),
  mcpExecution: ({ query, choice: { provider, model } }) => ({ query, provider, model }),
  memoryChatTurn: ({ message, userId, sessionId, instructions, choice: { provider, model } }) => ({
    message,
    userId,
    sessionId,
    instructions,
    provider,
    model,
  }),
  queryWorkflow: ({ query, choice: { provider, model } }) => ({ query, provider, model }),
};

/**
 * Turns the input of any run of the service into what callers see of it. Pure.
 * @param hiding tells what is a credential: an input that a template puts into one is hidden under any name
 * @returns undefined if the run was asked for nothing, or has the input of an earlier build in another form
 */
export function toRunInput(workflowType: string, input: unknown, hiding: Hiding): unknown {
  const toInput = new Map(Object.entries(MAPPINGS)).get(workflowType) as
    ((input: unknown, hiding: Hiding) => unknown) | undefined;
  try {
    return toInput?.(input, hiding);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

/** Hides the inputs that templates put into credentials. */
function withoutCredentials({ steps, inputs }: CustomWorkflowInput, hiding: Hiding): Record<string, unknown> {
  const used = new Set<string>();
  const visit = (value: unknown, isNamed: boolean, items: unknown): void => {
    if (typeof value === 'string') {
      // A text such as a URL may have a credential in a part of it, so every input that it takes may be the credential.
      const references = findReferencesIn(value);
      const isHidden = isNamed || (references.length > 0 && hiding.value(value) !== value);
      for (const { root, path } of isHidden ? references : []) {
        used.add(String(root === 'input' ? path[0] : root));
        if (root === 'item') visit(items, true, undefined);
      }
    } else if (Array.isArray(value)) for (const item of value) visit(item, isNamed, items);
    else if (isJsonObject(value))
      for (const [name, item] of Object.entries(value))
        visit(item, isNamed || hiding.isCredential(value, name), items);
  };
  for (const { step } of steps) visit([step.config, step.forEach?.items], false, step.forEach?.items);
  return Object.fromEntries(
    Object.entries(inputs).map(([name, value]) => [name, used.has(name) ? HIDDEN : value]),
  );
}
