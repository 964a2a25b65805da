import type { ToolDescription } from '../src/contracts/http/llm';
import type { ApprovalPolicy } from '../src/contracts/runs/approvals';
import type { BudgetPolicy } from '../src/contracts/runs/budgets';
import { needsApproval } from '../src/contracts/runs/approval-needs';
import type { ToolCall } from '../src/contracts/runs/tools';
import type { Config } from '../src/settings/config';
import type { Engine } from '../temporal/engine';
import type { ApprovalOption } from './run-options';
import type { KnownNames } from './turn-options';
import { validationError } from '../src/base/errors';
import { findNearest } from '../src/base/text/nearest';
import type { ToolRegistry } from '../src/tools/registry';

type ApprovalNeed = Pick<ToolDescription, 'requiresApproval' | 'plannedApproval'>;

/** Builds the policies by which runs wait for a person. A run without a policy never does. */
export interface ApprovalPolicies {
  /** The policy of a run whose author named what waits, such as the steps of a workflow. */
  build(option?: ApprovalOption): ApprovalPolicy;
  /** That of a run whose calls are known; undefined if none of them can need an approval. */
  forCalls(option: ApprovalOption, calls: readonly ToolCall[]): ApprovalPolicy | undefined;
  /**
   * That of a run whose planner may choose any of these tools; undefined if none of them can need an approval, and its
   * budget does not ask for more.
   */
  forPlanner(
    option: ApprovalOption,
    readTools: () => Promise<readonly ApprovalNeed[]>,
    budget: BudgetPolicy,
  ): Promise<ApprovalPolicy | undefined>;
}

/** @param engine says whether the server has the search attribute by which a run that waits is listed */
export function createApprovalPolicies(
  { APPROVAL_DEADLINE_MS, REDACT_FIELDS }: Pick<Config, 'APPROVAL_DEADLINE_MS' | 'REDACT_FIELDS'>,
  engine: Pick<Engine, 'current'>,
): ApprovalPolicies {
  function build(option?: ApprovalOption): ApprovalPolicy {
    const { tools = [], deadlineMs = APPROVAL_DEADLINE_MS, onDeadline = 'deny', onDenied } = option ?? {};
    return {
      tools,
      deadlineMs,
      onDeadline,
      onDenied,
      isListed: engine.current().searchAttributes.has('HoldfastWaiting'),
      ...(REDACT_FIELDS.length > 0 ? { hiddenNames: REDACT_FIELDS } : {}),
    };
  }

  return {
    build,
    forCalls(option, calls) {
      const policy = build(option);
      // Templates are not resolved yet. A method that is a template counts as one that changes something.
      return calls.some((call) => needsApproval(call, policy)) ? policy : undefined;
    },
    async forPlanner(option, readTools, { limits, onExceeded }) {
      const mayPause =
        option !== undefined ||
        (onExceeded === 'pause' && Object.keys(limits).length > 0) ||
        (await readTools()).some((tool) => tool.requiresApproval === true || tool.plannedApproval === true);
      return mayPause ? build(option) : undefined;
    },
  };
}

/**
 * Checks that the tools whose calls shall wait exist: no call of a misspelt one would wait. Tools of remote servers are in
 * the registry too.
 * @param field where the option stands
 * @throws HoldfastError `VALIDATION`
 */
export async function checkApprovalTools(
  registry: Pick<ToolRegistry, 'list'>,
  option: ApprovalOption,
  { field = 'options.approval', ofAgents = [] }: KnownNames = {},
): Promise<void> {
  const { tools } = option ?? {};
  if (!Array.isArray(tools)) return;
  const known = [...ofAgents, ...(await registry.list()).map(({ name }) => name)];
  const index = tools.findIndex((name) => !known.includes(name));
  const name = tools[index];
  if (name === undefined) return;
  const near = findNearest(name, known);
  const advice = near === undefined ? 'GET /api/tools lists them' : `the nearest is ${near.name}`;
  throw validationError(`${field}.tools[${index}]`, `there is no tool named "${name}"; ${advice}`);
}
