import { z } from 'zod';
import type { AgentStore } from '../src/agents/agent-store';
import { validationError } from '../src/base/errors';
import { agentToolName } from '../src/contracts/runs/agent-calls';
import { chosenIdSchema, textSchema } from '../src/contracts/http/text-schema';
import type { AnswerSchemas } from '../src/llm/answer-schemas';
import type { GenerationOptions } from '../src/contracts/http/llm';
import type { ModelChoice } from '../src/contracts/runs/workflows';
import type { Config } from '../src/settings/config';
import type { ToolRegistry } from '../src/tools/registry';
import { checkApprovalTools } from './approval-policies';
import type { BudgetPolicies } from './budget-policies';
import {
  instructionsOption,
  maxIterationsOption,
  modelOptions,
  offeredToolsOption,
  responseSchemaOption,
} from './request-options';
import { budgetOption, plannerApprovalOption } from './run-options';
import { checkOfferedTools, checkResponseSchema } from './turn-options';

const NAME_LENGTH = 200;
const DESCRIPTION_LENGTH = 2_000;
const MAX_ASKED = 20;

const memorySchema = z
  .strictObject({
    read: z.boolean().optional().describe('Whether memory is searched; default true'),
    write: z.boolean().optional().describe('Whether the turn is stored in memory; default true'),
    crossSession: z
      .boolean()
      .optional()
      .describe('Whether events of other sessions are recalled; default true'),
  })
  .optional();

export type AgentDefinitionLimits = Pick<Config, 'PLANNER_MAX_ITERATIONS'>;

/** Builds the schema of a named agent. A misspelt field is rejected, since without it the agent could do more. */
export function agentDefinitionSchema(limits: AgentDefinitionLimits) {
  return z.strictObject({
    name: textSchema(NAME_LENGTH),
    description: textSchema(DESCRIPTION_LENGTH).describe(
      'What it is good for; MCP clients and other agents read it',
    ),
    instructions: instructionsOption.unwrap(),
    model: modelOptions.model,
    temperature: modelOptions.temperature,
    tools: offeredToolsOption,
    agents: z
      .array(chosenIdSchema)
      .max(MAX_ASKED, `must have at most ${MAX_ASKED} entries`)
      .optional()
      .describe('The agents that it may ask, by their ids; they need not exist yet'),
    memory: memorySchema,
    responseSchema: responseSchemaOption,
    approval: plannerApprovalOption,
    budget: budgetOption,
    maxIterations: maxIterationsOption(limits),
  });
}

export type AgentDefinition = z.output<ReturnType<typeof agentDefinitionSchema>>;

export type NamedAgents = AgentStore<AgentDefinition>;

export interface DefinitionChecks {
  readonly registry: Pick<ToolRegistry, 'list'>;
  readonly budgets: Pick<BudgetPolicies, 'check'>;
  readonly answerSchemas: Pick<AnswerSchemas, 'findFault'>;
  chooseModel(options: GenerationOptions): ModelChoice;
  readonly signal: AbortSignal;
}

/**
 * Checks what a definition names by what the service has now. The agents that it may ask are not looked up, since two may
 * name each other.
 * @throws HoldfastError `VALIDATION`; `MODEL_UNKNOWN`
 */
export async function checkAgentDefinition(
  id: string,
  { agents = [], model, tools, approval, budget, responseSchema }: AgentDefinition,
  { registry, budgets, answerSchemas, chooseModel, signal }: DefinitionChecks,
): Promise<void> {
  if (agents.includes(id))
    throw validationError(`agents[${agents.indexOf(id)}]`, 'an agent cannot ask itself');
  const choice = chooseModel({ model });
  if (budget !== undefined) budgets.check(budget, 'budget', choice);
  const ofAgents = agents.map(agentToolName);
  await checkOfferedTools(registry, tools, { field: 'tools' });
  await checkApprovalTools(registry, approval, { field: 'approval', ofAgents });
  await checkResponseSchema(answerSchemas, responseSchema, choice, signal, 'responseSchema');
}
