import { fitDetail } from '../../src/contracts/json';
import { summariseText } from '../../src/contracts/runs/summaries';
import type { CustomWorkflowInput, PreparedStep } from '../../src/contracts/runs/workflows';
import type { CustomWorkflowResult, DryRunResult, WorkflowStep } from '../../src/contracts/http/workflows';
import { approvalOf } from '../../src/contracts/runs/approval-needs';
import { MAX_ITEMS } from '../../src/contracts/workflow-limits';
import type { ArgumentChecks } from '../../src/tools/argument-check';
import type { CallChecks } from '../../src/workflow-definitions/check-calls';
import type { WorkflowCatalogue } from '../../src/workflow-definitions/catalogue';
import { fillInputs, requiredTools } from '../../src/workflow-definitions/fill-inputs';
import { prepareSteps, type PrepareStepsPorts } from '../../src/workflow-definitions/prepare-steps';
import type { RequestContext } from '../http/route';
import type { ApprovalPolicies } from '../runs/approval-policies';
import { type RunLimitSettings, runTimeout } from '../runs/run-limits';
import type { CallerRuns } from '../runs/caller-runs';
import { startRun } from '../runs/start-runs';

/** Characters of a workflow's name in the summary of its run. */
const NAME_LENGTH = 80;

/** A request to run a workflow: its definition, or the id of a stored workflow. */
export interface CustomRunRequest {
  readonly workflow: { readonly name: string; readonly steps: readonly WorkflowStep[] } | string;
  readonly inputs: Readonly<Record<string, unknown>>;
  /** Limit of each tool call of the steps that set none themselves, milliseconds. */
  readonly timeoutMs?: number | undefined;
}

export interface CustomRunsPorts {
  readonly client: CallerRuns;
  readonly catalogue: WorkflowCatalogue;
  readonly preparing: Omit<PrepareStepsPorts, 'timeoutMs' | 'isStored' | keyof CallChecks>;
  readonly checks: ArgumentChecks;
  readonly settings: RunLimitSettings;
  readonly policies: ApprovalPolicies;
}

export interface CustomRuns {
  /** @throws HoldfastError `WORKFLOW_INVALID`, `WORKFLOW_NOT_FOUND`, or as `RunClient.execute` does */
  run(request: CustomRunRequest, context: RequestContext): Promise<CustomWorkflowResult>;
  /** Makes all checks of a run without starting it. @throws HoldfastError as `run` does before it starts */
  dryRun(request: CustomRunRequest, context: RequestContext): Promise<DryRunResult>;
}

interface ResolvedWorkflow {
  readonly name: string;
  readonly label: string;
  readonly steps: readonly WorkflowStep[];
  readonly inputs: Readonly<Record<string, unknown>>;
}

export function createCustomRuns({
  client,
  catalogue,
  preparing,
  checks,
  settings,
  policies,
}: CustomRunsPorts): CustomRuns {
  async function lookUp(
    { workflow, inputs }: CustomRunRequest,
    { owner, signal }: RequestContext,
  ): Promise<ResolvedWorkflow> {
    if (typeof workflow !== 'string') {
      const { name, steps } = workflow;
      return { name, label: toSlug(name), steps, inputs };
    }
    const predefined = await catalogue.get(workflow);
    const { id, name, steps } = predefined;
    const filled = await fillInputs(predefined, inputs, { check: checks.of(owner), signal: signal() });
    return { name, label: id, steps, inputs: filled };
  }

  const portsOf = (
    { workflow, timeoutMs }: CustomRunRequest,
    { owner, signal }: RequestContext,
  ): PrepareStepsPorts => ({
    ...preparing,
    check: checks.of(owner),
    signal: signal(),
    timeoutMs,
    isStored: typeof workflow === 'string',
  });

  return {
    run: (request, context) =>
      startRun<CustomWorkflowResult>(
        client,
        {
          prefix: 'custom-workflow',
          asked: request,
          prepare: async () => {
            const { name, label, steps, inputs } = await lookUp(request, context);
            const prepared = await prepareSteps(portsOf(request, context), steps, inputs);
            const mayPause = prepared.steps.some(needsPerson);
            const input: CustomWorkflowInput = {
              name,
              inputs,
              steps: prepared.steps,
              ...(mayPause ? { approval: policies.build() } : {}),
            };
            return {
              workflowType: 'customWorkflow',
              label,
              input,
              subject: { area: 'workflow', tools: requiredTools({ steps: [...steps] }) },
              summary: `${summariseText(name, NAME_LENGTH)}: ${steps.length} steps`,
              runTimeoutMs: mayPause ? undefined : runTimeout(settings, sumTimeLimits(prepared.steps)),
            };
          },
        },
        context,
      ),
    async dryRun(request, context) {
      const { name, steps, inputs } = await lookUp(request, context);
      const prepared = await prepareSteps(portsOf(request, context), steps, inputs);
      return {
        status: 'valid',
        name,
        steps: prepared.steps.map(({ step: { id, type }, waitsFor }) => ({
          id,
          type,
          waitsFor,
          config: shorten(prepared.configurations.get(id) ?? {}),
        })),
      };
    },
  };
}

/** Leaves out long values of a configuration: a short request can fill in a long input many times. */
function shorten(config: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(config).map(([name, value]) => [name, fitDetail(value)]));
}

/** Whether a step may wait for a person. */
function needsPerson({ step, execution }: PreparedStep): boolean {
  const isTools = execution.kind === 'tool' && execution.tool.requiresApproval === true;
  return isTools || approvalOf(step) !== undefined;
}

/** Sums the time limits of all steps, as if they ran one after another, milliseconds. */
function sumTimeLimits(steps: readonly PreparedStep[]): number {
  return steps.reduce((total, { step, execution }) => {
    const { forEach } = step;
    const items = Array.isArray(forEach?.items) ? forEach.items.length : MAX_ITEMS;
    const rounds = forEach === undefined ? 1 : Math.ceil(items / forEach.concurrency);
    return total + rounds * execution.limits.timeoutMs;
  }, 0);
}

/** Converts a workflow's name to a readable part of a workflow id. */
function toSlug(name: string): string {
  const plain = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-/, '');
  return plain.slice(0, 40).replace(/-$/, '') || 'unnamed';
}
