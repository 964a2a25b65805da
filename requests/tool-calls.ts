import type { z } from 'zod';
import type { ArgumentChecks } from '../src/tools/argument-check';
import type { PlannedCall, ReusedPlan, ReusedPlans } from '../src/contracts/runs/workflows';
import type { ToolRegistry } from '../src/tools/registry';
import type { PlannedRerun } from './planner-runs';
import { type CallPorts, prepareCall, prepareCalls, type PrepareOptions } from './prepare-calls';
import type { Starting } from './starting';
import type { toolRequestSchemas } from './tool-requests';
import type { ToolRunRequest } from './tool-runs';

type Schemas = ReturnType<typeof toolRequestSchemas>;

/** What calls of tools are prepared by, of the caller's tenant. */
export interface ToolCallServices {
  readonly registry: ToolRegistry;
  readonly argumentChecks: ArgumentChecks;
}

type Context = Pick<Starting, 'owner' | 'signal'>;

/** The request of a body that names one tool. */
export function singleCall(
  body: z.output<Schemas['execute']>,
  context: Context,
  services: ToolCallServices,
): ToolRunRequest {
  const { timeout: timeoutMs, approval } = body.options ?? {};
  const mayPause = approval !== undefined;
  const prepare = async () => [await prepareCall(portsOf(context, services), body, { mayPause })];
  return { calls: [body], timeoutMs, approval, prepare };
}

/** The request of a body that names several tools. */
export function severalCalls(
  { tools, options }: z.output<Schemas['executeMany']>,
  how: Pick<PrepareOptions, 'sequence' | 'kept'>,
  context: Context,
  services: ToolCallServices,
): ToolRunRequest {
  const mayPause = options?.approval !== undefined;
  const prepare = () => prepareCalls(portsOf(context, services), tools, { ...how, mayPause });
  return { calls: tools, timeoutMs: options?.timeout, approval: options?.approval, prepare };
}

/** The plans of a rerun. The last of them may have calls that are made: with their tools as they are now. */
export function reusedPlans(reused: ReusedPlans, context: Context, services: ToolCallServices): PlannedRerun {
  const ports = portsOf(context, services);
  return {
    async prepareReused(options) {
      let number = 0;
      const plans: ReusedPlan[] = [];
      for (const plan of reused.plans) {
        const calls: PlannedCall[] = [];
        for (const planned of plan.calls) {
          number += 1;
          const isMade = number >= reused.firstMade;
          calls.push(
            isMade ? { ...planned, call: await prepareCall(ports, planned.call, options) } : planned,
          );
        }
        plans.push({ ...plan, calls });
      }
      return { ...reused, plans };
    },
  };
}

const portsOf = ({ owner, signal }: Context, { registry, argumentChecks }: ToolCallServices): CallPorts => ({
  registry,
  check: argumentChecks.of(owner),
  signal: signal(),
});
