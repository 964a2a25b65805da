import { HoldfastError, isHoldfastError } from '../src/base/errors';
import type { AgentTurnInput } from '../src/contracts/runs/agent';
import type { TurnFile } from '../src/contracts/http/files';
import type { ClassifyBatchInput } from '../src/contracts/runs/intents';
import type { MemoryChatTurnInput } from '../src/contracts/runs/memory-chat';
import { ownerOfRun, type RunOwner } from '../src/contracts/runs/run-owner';
import { RERUN_MEMO, type Rerun } from '../src/contracts/runs/reruns';
import type { ExecuteToolInput, ExecuteToolsInput, ToolLimits } from '../src/contracts/runs/tools';
import type {
  CustomWorkflowInput,
  ExecuteToolFromQueryInput,
  PlannerLoopInput,
} from '../src/contracts/runs/workflows';
import { memoryErasing } from '../src/stores/memory/errors';
import type { Engine } from '../temporal/engine';
import type { DerivedRun } from '../temporal/run-events/derive-input';
import { type ReadSteps, readSteps } from '../temporal/run-events/read-step';
import { callEngine } from '../temporal/runs/call-engine';
import type { LocatedRun } from '../temporal/runs/run-lookup';
import type { StartedRun } from '../temporal/runs/started-run';
import type { AgentRuns } from './agent-runs';
import type { CustomRuns } from './custom-runs';
import {
  type FormerRequestPorts,
  formerApproval,
  formerModel,
  formerQuery,
  formerTimeout,
  formerTurn,
} from './former-requests';
import type { PlannerRuns } from './planner-runs';
import { reusePlans } from './reused-plans';
import {
  changeCalls,
  changeSteps,
  checkWhole,
  type RerunRequest,
  reuseCalls,
  reuseSteps,
} from './reused-steps';
import type { Starting } from './starting';
import { reusedPlans, severalCalls, singleCall, type ToolCallServices } from './tool-calls';
import type { ToolRuns } from './tool-runs';
import { untilStarted } from './until-started';

export interface StartedRerun extends StartedRun {
  readonly rerun: Rerun;
}

export interface Reruns {
  /**
   * Starts a new run of what a run ran, and does not wait for it. The new run belongs to the owner of the first one.
   * @throws HoldfastError `RUN_NOT_ENDED`, `RUN_NOT_REPEATABLE`, `MEMORY_ERASING`, `VALIDATION`, `PAYLOAD_TOO_LARGE`, or as the
   *   endpoint of the first run does
   */
  start(first: LocatedRun, request: RerunRequest, context: Starting): Promise<StartedRerun>;
}

interface ChatRequest {
  readonly userId: string;
  readonly sessionId: string;
  readonly message: string;
  readonly includeMemories: boolean;
  readonly options: ReturnType<typeof formerModel> & Pick<MemoryChatTurnInput, 'instructions'>;
}

export interface RerunPorts extends FormerRequestPorts {
  readonly engine: Engine;
  readonly calls: ToolCallServices;
  readonly custom: Pick<CustomRuns, 'runAgain'>;
  readonly tools: ToolRuns;
  readonly planned: PlannerRuns;
  readonly agent: AgentRuns;
  readonly chat: { chat(request: ChatRequest, context: Starting): Promise<unknown> };
  readonly selfTest: (context: Starting) => Promise<unknown>;
  readonly batches: { again(first: ClassifyBatchInput, context: Starting): Promise<unknown> };
  /** @throws HoldfastError if the area cannot answer yet */
  readonly requireInitialized: (area: 'agent' | 'memory-chat') => Promise<void>;
  /** Whether the user of the runs of an owner is being erased. */
  readonly isErasing: (owner: RunOwner) => Promise<boolean>;
}

/** A run that is prepared to start. */
interface Repeat {
  readonly reused?: readonly string[];
  start(context: Starting): Promise<unknown>;
}

export function createReruns(ports: RerunPorts): Reruns {
  const { engine, settings, calls, tools } = ports;

  async function repeatOfCalls(
    derived: DerivedRun,
    request: RerunRequest,
    isSequence: boolean,
  ): Promise<Repeat> {
    const input = (await derived.readInput()) as ExecuteToolsInput;
    const { ids, results } = await reuseCalls(derived, input, request, isSequence);
    const keptCalls = new Map(
      [...input.calls.entries()].filter(([index]) => results[index + 1] !== undefined),
    );
    const body = { tools: changeCalls(input, request), options: optionsOf(input) };
    return {
      reused: ids,
      start: (context) => {
        const calling = severalCalls(body, { sequence: isSequence, kept: keptCalls }, context, calls);
        return tools[isSequence ? 'sequence' : 'parallel']({ ...calling, reused: results }, context);
      },
    };
  }

  async function repeatOfWorkflow(derived: DerivedRun, request: RerunRequest): Promise<Repeat> {
    const input = (await derived.readInput()) as CustomWorkflowInput;
    const { ids, results } = await reuseSteps(derived, input, request);
    const limits = input.steps.flatMap(({ execution }): ToolLimits[] =>
      execution.kind === 'tool' ? [execution.limits] : [],
    );
    const again = {
      first: input,
      timeoutMs: formerTimeout(limits, settings),
      steps: changeSteps(input, request),
      inputs: { ...input.inputs, ...request.inputs },
      reused: results,
    };
    return { reused: ids, start: (context) => ports.custom.runAgain(again, context) };
  }

  async function repeatOfPlans(
    kind: 'mcp' | 'workflow',
    { derived, events }: ReadSteps,
    request: RerunRequest,
  ): Promise<Repeat> {
    const input = (await derived.readInput()) as PlannerLoopInput;
    const { ids, plans: reused } = await reusePlans({ derived, events, input }, request);
    const query = formerQuery(input, ports);
    return {
      reused: ids,
      start: (context) => ports.planned[kind](query, context, reused && reusedPlans(reused, context, calls)),
    };
  }

  /** @throws HoldfastError `RUN_NOT_REPEATABLE` */
  async function wholeRepeat(type: string, derived: DerivedRun): Promise<Repeat> {
    const read = async <T>(): Promise<T> => (await derived.readInput()) as T;
    switch (type) {
      case 'executeTool': {
        const { call, ...input } = await read<ExecuteToolInput>();
        const body = { toolName: call.toolName, args: { ...call.args }, options: optionsOf(input) };
        return { start: (context) => tools.single(singleCall(body, context, calls), context) };
      }
      case 'executeToolFromQuery': {
        const input = await read<ExecuteToolFromQueryInput>();
        const request = { ...formerQuery(input, ports), toolName: input.tool.name };
        return { start: (context) => ports.planned.toolFromQuery(request, context) };
      }
      case 'agentTurn': {
        const first = await read<AgentTurnInput>();
        if (first.calledBy !== undefined)
          throw new HoldfastError(
            'RUN_NOT_REPEATABLE',
            'Another turn has called this one, with what only that one knows; run that one again',
          );
        const files = first.files && ((await derived.readFiles()) as readonly TurnFile[]);
        const request = formerTurn(first, ports, files);
        await ports.requireInitialized('agent');
        return { start: (context) => ports.agent.execute(request, context) };
      }
      case 'memoryChatTurn': {
        const { userId, sessionId, message, recall, choice, instructions } =
          await read<MemoryChatTurnInput>();
        const names = { userId, sessionId, message, includeMemories: recall !== undefined };
        await ports.requireInitialized('memory-chat');
        return {
          start: (context) =>
            ports.chat.chat({ ...names, options: { ...formerModel(choice, ports), instructions } }, context),
        };
      }
      case 'classifyBatch': {
        const first = await read<ClassifyBatchInput>();
        return { start: (context) => ports.batches.again(first, context) };
      }
      case 'agentSelfTest':
        await ports.requireInitialized('agent');
        return { start: (context) => ports.selfTest(context) };
      default:
        throw notRepeatable(type);
    }
  }

  function prepare(type: string, steps: ReadSteps, request: RerunRequest): Promise<Repeat> {
    const { derived } = steps;
    switch (type) {
      case 'mcpExecution':
      case 'queryWorkflow':
        return repeatOfPlans(type === 'mcpExecution' ? 'mcp' : 'workflow', steps, request);
      case 'customWorkflow':
        return repeatOfWorkflow(derived, request);
      case 'executeToolsInSequence':
      case 'executeToolsInParallel':
        return repeatOfCalls(derived, request, type === 'executeToolsInSequence');
      default:
        checkWhole(request);
        return wholeRepeat(type, derived);
    }
  }

  const optionsOf = ({ limits, approval }: Pick<ExecuteToolsInput, 'limits' | 'approval'>) => ({
    timeout: formerTimeout([limits], settings),
    approval: formerApproval(approval),
  });

  /** Reads of which run a run is the repeat. A repeat of a request has joined a run that may have taken other steps. */
  function readRerun({ workflowId, runId }: StartedRun): Promise<Rerun> {
    return callEngine(engine, MEMO_LIMIT_MS, async ({ client }) => {
      const { memo } = await client.workflow.getHandle(workflowId, runId).describe();
      return memo?.[RERUN_MEMO] as Rerun;
    });
  }

  return {
    async start(first, request, context) {
      if (first.isOpen)
        throw new HoldfastError('RUN_NOT_ENDED', 'Only a run that has ended can be run again');
      const owner = ownerOfRun(first.workflowId);
      if (await ports.isErasing(owner)) throw memoryErasing();
      const steps = await readSteps(engine, first, { admit: context.admit, signal: context.signal() });
      const { reused = [], start } = await prepare(first.type, steps, request);
      const rerun = { of: { traceId: first.runId, workflowId: first.workflowId }, reused };
      const run = await untilStarted(
        { ...context, owner, rerun: { ...rerun, asked: request } },
        start,
        isStillGoing,
      );
      return { ...run, rerun: run.repeated === undefined ? rerun : await readRerun(run) };
    },
  };
}

const MEMO_LIMIT_MS = 3_000;

/** The endpoints that start runs which have files, or which end what they began by rules of their own. */
const ENDPOINTS = new Map([
  ['consolidateMemories', 'POST /api/memory/consolidate/{userId}'],
  ['undoConsolidation', 'POST /api/memory/consolidations/{userId}/{id}/undo'],
  ['eraseUserMemories', 'DELETE /api/memory/clear/{userId}'],
  ['importMemories', 'POST /api/memory/import/{userId}'],
  ['importRecords', 'POST /api/imports of the records'],
  ['reindexMemories', 'POST /api/memory/reindex'],
]);

function notRepeatable(type: string): HoldfastError {
  const endpoint = ENDPOINTS.get(type);
  const advice = endpoint === undefined ? 'the service starts it by itself' : `use ${endpoint}`;
  return new HoldfastError('RUN_NOT_REPEATABLE', `A run of the type ${type} cannot be run again; ${advice}`);
}

const isStillGoing = (error: unknown): boolean => isHoldfastError(error) && error.code === 'RUN_STILL_GOING';
