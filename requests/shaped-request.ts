import { validationError } from '../src/base/errors';
import { computeDigest } from '../src/base/ids';
import type { AgentVersion } from '../src/contracts/http/agents';
import { agentToolName, type CalledBy, type TurnNarrowing } from '../src/contracts/runs/agent-calls';
import type { OnDeadline, OnDenied } from '../src/contracts/http/approvals';
import type { TurnFile } from '../src/contracts/http/files';
import { BUDGET_LIMITS, type BudgetLimits, type OnExceeded } from '../src/contracts/http/budgets';
import type { EarlierMessage } from '../src/contracts/runs/turns';
import { isOffered, namesTool } from '../src/contracts/tool-names';
import type { Config } from '../src/settings/config';
import type { AgentDefinition } from './agent-definitions';
import type { AgentRequest } from './agent-requests';
import type { ApprovalOption, BudgetOption } from './run-options';

/** A request for a turn, with what a named agent makes of it. */
export interface ShapedRequest extends AgentRequest {
  /** The agent that answers; absent: the service's own. */
  readonly agent?: AgentVersion | undefined;
  /** Present if the turn is not stored in memory. */
  readonly remember?: false | undefined;
  /** Present if a model has to call a tool before it answers. */
  readonly mustCall?: true | undefined;
  /** As in `AgentTurnInput`. */
  readonly earlier?: readonly EarlierMessage[] | undefined;
  /** The ids of the agents that it may call; absent: none. */
  readonly agents?: readonly string[] | undefined;
  /** What the request allows less than the agent may, for the turns that it calls; absent: nothing. */
  readonly narrowing?: TurnNarrowing | undefined;
  /** Present if another turn calls this one. */
  readonly calledBy?: CalledBy | undefined;
  /** The files of a former turn, which were checked then; absent: those of `options.attachments` are read. */
  readonly files?: readonly TurnFile[] | undefined;
}

/** What applies if neither a request nor a definition says it. */
export type ShapingSettings = Pick<
  Config,
  'APPROVAL_DEADLINE_MS' | 'BUDGET_ON_EXCEEDED' | 'PLANNER_MAX_ITERATIONS'
> & {
  /** The limits of the settings, which may be smaller by now than those of a stored definition. */
  readonly ceilings: BudgetLimits;
};

type Options = AgentRequest['options'];
type NarrowedTools = readonly string[] | undefined;
type Agent = AgentVersion & { readonly definition: AgentDefinition };

/**
 * Joins a request and the definition of the agent that it names. The request may do less than the agent, and never more. Pure.
 * @throws HoldfastError `VALIDATION` if the request asks for what the agent may not do
 */
export function shapeRequest(request: ShapedRequest, agent: Agent, settings: ShapingSettings): ShapedRequest {
  const { options } = request;
  const { id, version, definition } = agent;
  const { read = true, write = true, crossSession = true } = definition.memory ?? {};
  const { agent: _, ...rest } = options;
  return {
    ...request,
    options: {
      ...rest,
      instructions: joinInstructions(definition.instructions, options.instructions),
      model: same(id, 'model', definition.model, options.model),
      temperature: same(id, 'temperature', definition.temperature, options.temperature),
      responseSchema: same(id, 'responseSchema', definition.responseSchema, options.responseSchema),
      tools: commonTools(definition.tools, options.tools, (index) =>
        checkEntry(agent, options.tools?.[index] ?? '', index),
      ),
      includeMemoryContext: options.includeMemoryContext && read,
      crossSessionMemory: options.crossSessionMemory && crossSession,
      approval: strictestApproval(definition.approval, options.approval, settings),
      budget: smallestBudget(definition.budget, options.budget, settings),
      maxIterations: smallestOf(
        definition.maxIterations && Math.min(definition.maxIterations, settings.PLANNER_MAX_ITERATIONS),
        options.maxIterations,
      ),
    },
    agent: { id, version },
    remember: write ? request.remember : false,
    agents: definition.agents?.filter((one) => isOffered(options.tools, agentToolName(one))),
    narrowing: narrowingOf(options),
  };
}

/** Those of the agent come first, and the request's follow. */
function joinInstructions(ofAgent: string, ofRequest: string | undefined): string {
  return ofRequest === undefined ? ofAgent : `${ofAgent}\n\n${ofRequest}`;
}

/** @throws HoldfastError `VALIDATION` if both name a value, and not the same one */
function same<T>(id: string, field: string, ofAgent: T | undefined, ofRequest: T | undefined): T | undefined {
  if (ofAgent === undefined) return ofRequest;
  if (ofRequest !== undefined && computeDigest(ofRequest) !== computeDigest(ofAgent))
    throw validationError(`options.${field}`, `the agent "${id}" has another ${field}, which stays`);
  return ofAgent;
}

function narrowingOf({ tools, includeMemoryContext, crossSessionMemory }: Options): TurnNarrowing {
  return {
    tools,
    memory: includeMemoryContext ? undefined : false,
    crossSession: crossSessionMemory ? undefined : false,
  };
}

/** An entry of a request has to name a tool or an agent that the agent may call. @throws HoldfastError `VALIDATION` */
function checkEntry({ id, definition }: Agent, entry: string, index: number): void {
  const { agents = [] } = definition;
  if (agents.some((one) => namesTool([entry], agentToolName(one)))) return;
  throw validationError(`options.tools[${index}]`, `the agent "${id}" may not call "${entry}"`);
}

/**
 * The tools that both allow. Pure.
 * @param onNone called for an entry of the request that allows none of them; what it throws is thrown
 */
export function commonTools(
  ofAgent: NarrowedTools,
  ofRequest: NarrowedTools,
  onNone?: (index: number) => void,
): string[] | undefined {
  if (ofAgent === undefined || ofRequest === undefined) {
    const either = ofAgent ?? ofRequest;
    return either && [...either];
  }
  const common = ofRequest.flatMap((entry, index) => {
    if (covers(ofAgent, entry)) return [entry];
    const narrower = ofAgent.filter((one) => covers([entry], one));
    if (narrower.length === 0) onNone?.(index);
    return narrower;
  });
  return [...new Set(common)];
}

/** Whether entries allow all that an entry allows. The beginning of names is itself a name that they have to allow with its `*`. */
function covers(entries: readonly string[], entry: string): boolean {
  if (!entry.endsWith('*')) return namesTool(entries, entry);
  return namesTool(
    entries.filter((one) => one.endsWith('*')),
    entry.slice(0, -1),
  );
}

function smallestOf(...values: readonly (number | undefined)[]): number | undefined {
  const known = values.filter((value) => value !== undefined);
  return known.length === 0 ? undefined : Math.min(...known);
}

/** The value that stands first in an order. */
function firstOf<T extends string>(order: readonly T[], ...values: readonly T[]): T | undefined {
  return order.find((one) => values.includes(one));
}

/** From the strictest on: what follows when a budget is used up, when a call is not answered, and when it is denied. */
const EXCEEDED_ORDER: readonly OnExceeded[] = ['fail', 'finish', 'pause'];
const DEADLINE_ORDER: readonly OnDeadline[] = ['fail', 'deny', 'approve'];
const DENIED_ORDER: readonly OnDenied[] = ['fail', 'continue'];

function strictestApproval(
  ofAgent: ApprovalOption,
  ofRequest: ApprovalOption,
  { APPROVAL_DEADLINE_MS }: ShapingSettings,
): ApprovalOption {
  if (ofAgent === undefined || ofRequest === undefined) return ofAgent ?? ofRequest;
  const both = [ofAgent, ofRequest];
  return {
    tools: joinedTools(ofAgent.tools, ofRequest.tools),
    deadlineMs: smallestOf(...both.map(({ deadlineMs = APPROVAL_DEADLINE_MS }) => deadlineMs)),
    onDeadline: firstOf(DEADLINE_ORDER, ...both.map(({ onDeadline = 'deny' }) => onDeadline)),
    onDenied: firstOf(DENIED_ORDER, ...both.map(({ onDenied = 'continue' }) => onDenied)),
  };
}

type ApprovalTools = NonNullable<ApprovalOption>['tools'];

/** All calls that wait by either. Names beside `changing` cannot be said together, so that all calls wait then. */
function joinedTools(one: ApprovalTools, other: ApprovalTools): ApprovalTools {
  if (Array.isArray(one) && Array.isArray(other)) return [...new Set([...one, ...other])];
  return one === 'changing' && other === 'changing' ? 'changing' : 'all';
}

function smallestBudget(
  ofAgent: BudgetOption,
  ofRequest: BudgetOption,
  { ceilings }: ShapingSettings,
): BudgetOption {
  if (ofAgent === undefined) return ofRequest;
  const limits = BUDGET_LIMITS.flatMap((limit): [string, number][] => {
    const agents = ofAgent[limit] === undefined ? undefined : smallestOf(ofAgent[limit], ceilings[limit]);
    const smallest = smallestOf(agents, ofRequest?.[limit]);
    return smallest === undefined ? [] : [[limit, smallest]];
  });
  const named = [ofAgent.onExceeded, ofRequest?.onExceeded].filter((one) => one !== undefined);
  const onExceeded = firstOf(EXCEEDED_ORDER, ...named);
  return { ...Object.fromEntries(limits), onExceeded };
}
