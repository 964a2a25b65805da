import { fitDetail } from '../src/contracts/json';
import { summariseText } from '../src/contracts/runs/summaries';
import { limitsOfCall } from '../src/contracts/runs/calls';
import type { CustomWorkflowInput, PreparedStep } from '../src/contracts/runs/workflows';
import type { StoredTool } from '../src/contracts/http/tools';
import type {
  CustomWorkflowResult,
  DryRunResult,
  StepOutcome,
  WorkflowProblem,
  WorkflowStep,
} from '../src/contracts/http/workflows';
import { approvalOf } from '../src/contracts/runs/approval-needs';
import { MAX_ITEMS } from '../src/contracts/workflow-limits';
import type { ArgumentChecks } from '../src/tools/argument-check';
import type { CallChecks } from '../src/workflow-definitions/check-calls';
import type { WorkflowCatalogue } from '../src/workflow-definitions/catalogue';
import { fillInputs, requiredTools } from '../src/workflow-definitions/fill-inputs';
import { stepProblems } from '../src/workflow-definitions/find-problems';
import { prepareSteps, type PrepareStepsPorts } from '../src/workflow-definitions/prepare-steps';
import type { Starting } from './starting';
import type { ApprovalPolicies } from './approval-policies';
import { type RunLimitSettings, runTimeout } from './run-limits';
import type { CallerRuns } from './caller-runs';
import { type PreparedRun, startRun } from './start-runs';

/** Characters of a workflow's name in the summary of its run. */
const NAME_LENGTH = 80;

/** A request to run a workflow: its definition, or the id of a stored workflow. */
export interface CustomRunRequest {
  readonly workflow: { readonly name: string; readonly steps: readonly WorkflowStep[] } | string;
  readonly inputs: Readonly<Record<string, unknown>>;
  /** Limit of each tool call of the steps that set none themselves, milliseconds. */
  readonly timeoutMs?: number | undefined;
  /** By which a repeat under the key is known; absent: the whole request. */
  readonly asked?: unknown;
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
  run(request: CustomRunRequest, context: Starting): Promise<CustomWorkflowResult>;
  /** Runs the workflow of another run again, with its tools as they are now. @throws HoldfastError as `run` does */
  runAgain(request: CustomRerun, context: Starting): Promise<CustomWorkflowResult>;
  /** Makes all checks of a run without starting it. @throws HoldfastError as `run` does before it starts */
  dryRun(request: CustomRunRequest, context: Starting): Promise<DryRunResult>;
  /** Finds all problems of steps, as `stepProblems` does. @param inputs absent if they are not known */
  findProblems(
    steps: readonly WorkflowStep[],
    inputs: CustomRunRequest['inputs'] | undefined,
    context: Starting,
  ): AsyncIterable<WorkflowProblem>;
}

/** A run that repeats another one. */
export interface CustomRerun {
  readonly first: CustomWorkflowInput;
  /** As in `CustomRunRequest`. */
  readonly timeoutMs: number | undefined;
  readonly steps: readonly WorkflowStep[];
  readonly inputs: Readonly<Record<string, unknown>>;
  /** The outcomes of the steps that do not run, by id. */
  readonly reused: Readonly<Record<string, StepOutcome>>;
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
    { owner, signal }: Starting,
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
    { owner, signal }: Starting,
  ): PrepareStepsPorts => ({
    ...preparing,
    check: checks.of(owner),
    signal: signal(),
    timeoutMs,
    isStored: typeof workflow === 'string',
  });

  function buildRun(workflow: CustomWorkflowInput): PreparedRun {
    const { name, steps } = workflow;
    const mayPause = steps.some(needsPerson);
    const input: CustomWorkflowInput = { ...workflow, ...(mayPause ? { approval: policies.build() } : {}) };
    return {
      workflowType: 'customWorkflow',
      input,
      subject: { area: 'workflow', tools: requiredTools({ steps: steps.map(({ step }) => step) }) },
      summary: `${summariseText(name, NAME_LENGTH)}: ${steps.length} steps`,
      runTimeoutMs: mayPause ? undefined : runTimeout(settings, sumTimeLimits(steps)),
      usesModels: steps.some(({ execution }) => execution.kind === 'model'),
    };
  }

  return {
    runAgain: ({ first, timeoutMs, reused, steps, inputs }, context) =>
      startRun<CustomWorkflowResult>(
        client,
        {
          prefix: 'custom-workflow',
          asked: inputs,
          prepare: async () => {
            const ports = portsOf({ workflow: first.name, inputs, timeoutMs }, context);
            // A step that does not run needs its tool no more.
            const registry = withTools(ports.registry, first.steps, reused);
            const prepared = await prepareSteps({ ...ports, registry }, steps, inputs);
            return buildRun({ name: first.name, inputs, steps: prepared.steps, reused });
          },
        },
        context,
      ),
    run: (request, context) =>
      startRun<CustomWorkflowResult>(
        client,
        {
          prefix: 'custom-workflow',
          asked: request.asked ?? request,
          prepare: async () => {
            const { name, label, steps, inputs } = await lookUp(request, context);
            const prepared = await prepareSteps(portsOf(request, context), steps, inputs);
            return { ...buildRun({ name, inputs, steps: prepared.steps }), label };
          },
        },
        context,
      ),
    findProblems: (steps, inputs, { owner, signal }) =>
      stepProblems({ ...preparing, check: checks.of(owner), signal: signal() }, steps, inputs),
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

/** Adds the tools that the steps which do not run had, in case they are registered no more. */
function withTools(
  registry: PrepareStepsPorts['registry'],
  steps: readonly PreparedStep[],
  reused: CustomRerun['reused'],
): PrepareStepsPorts['registry'] {
  const former = steps.flatMap(({ step, execution }) =>
    execution.kind === 'tool' && Object.hasOwn(reused, step.id) ? [execution.tool] : [],
  );
  return {
    async getMany(names) {
      const tools = new Map(await registry.getMany(names));
      for (const { toolName, ...tool } of former)
        if (!tools.has(toolName)) tools.set(toolName, { name: toolName, ...tool } as StoredTool);
      return tools;
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
    const { timeoutMs } =
      execution.kind === 'tool'
        ? limitsOfCall({ ...execution.tool, args: {} }, execution.limits)
        : execution.limits;
    return total + rounds * timeoutMs;
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
