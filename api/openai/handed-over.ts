import type { ResponseFunctionToolCall, ResponseOutputItem } from 'openai/resources/responses/responses';
import type { Approval } from '../../src/contracts/http/approvals';
import type { BudgetLimits } from '../../src/contracts/http/budgets';
import { type ReachedLimit, roundCost } from '../../src/contracts/runs/budgets';
import { readHandedCalls } from './caller-calls';
import type { OpenAiContext, OpenAiPorts } from './ports';

/** What a person is asked, with the message of the author of a workflow, which OpenAI's items do not have. */
export type ApprovalItem = ResponseOutputItem.McpApprovalRequest & { readonly message?: string | undefined };

/** The item by which a part of a run ends that asks for something. */
export type HandedItem = ResponseFunctionToolCall | ApprovalItem;

/** What the ids of approvals begin with in items. */
export const APPROVAL_PREFIX = 'mcpr_';
/** The server that asks, as items have it: the tools of other servers are those of the service too. */
const SERVER_LABEL = 'holdfast';
/** What items name in the place of a tool. */
const NAMES = { budget: 'raise_budget', model: 'ask_model' } as const;

/** Reads a question of a run as an item: a call that the caller runs, or an approval. @throws HoldfastError `ENGINE_UNAVAILABLE` */
export async function readHandedItem(
  question: Approval,
  ports: Pick<OpenAiPorts, 'engine' | 'shown'>,
  context: Pick<OpenAiContext, 'owner' | 'redactor' | 'services'>,
): Promise<HandedItem> {
  const [call] = await readHandedCalls([question], ports, context);
  if (call === undefined) return approvalItem(question, context);
  const { callId, name, args } = call;
  return {
    type: 'function_call',
    id: `fc_${callId}`,
    call_id: callId,
    name,
    arguments: args,
    status: 'completed',
  };
}

function approvalItem(
  question: Approval,
  { redactor, services }: Pick<OpenAiContext, 'redactor' | 'services'>,
): ApprovalItem {
  const { id, kind, toolName, message, args } = redactor.value(question);
  const isBudget = kind === 'budget';
  const shownArgs = isBudget
    ? { budget: proposeBudget(args as ReachedLimit, services.budgets.ceilings), ...(args as ReachedLimit) }
    : args;
  return {
    type: 'mcp_approval_request',
    id: APPROVAL_PREFIX + id,
    server_label: SERVER_LABEL,
    name: toolName ?? (isBudget ? NAMES.budget : NAMES.model),
    arguments: JSON.stringify(shownArgs),
    message,
  };
}

/**
 * The limit that an approval gives a run which has reached one: as much again as it had, within the limits of the settings. An
 * item of OpenAI's API is approved as it is, so the limit is a part of its arguments. Pure.
 * @returns undefined if the settings allow no more than the run had or has used
 */
export function proposeBudget(
  { limit, used, limits }: ReachedLimit,
  ceilings: BudgetLimits,
): BudgetLimits | undefined {
  const { [limit]: before = 0 } = limits;
  const { [limit]: ceiling = Infinity } = ceilings;
  if (ceiling <= Math.max(used, before)) return undefined;
  return { [limit]: Math.min(roundCost(used + (before || 1)), ceiling) };
}
