import type { z } from 'zod';
import type { ACTION_TYPES } from '../src/contracts/http/schedules';
import type { Config } from '../src/settings/config';
import { agentRequestSchemas } from './agent-requests';
import { customRequestSchema, toCustomRun } from './custom-requests';
import type { DirectRuns } from './direct-runs';
import type { Starting } from './starting';
import { severalCalls, singleCall, type ToolCallServices } from './tool-calls';
import { toolRequestSchemas } from './tool-requests';

export type ActionType = (typeof ACTION_TYPES)[number];

/** One kind of action of schedules. */
interface Action {
  /** Of the body of the endpoint. */
  readonly schema: z.ZodType;
  /** The area that has to be initialized. */
  readonly area?: 'agent';
  /** Makes the request. @param body what the schema has made of it */
  start(body: never, context: Starting, runs: DirectRuns, services: ToolCallServices): Promise<unknown>;
}

/** The actions of schedules by their types. */
export type ScheduledActions = Readonly<Record<ActionType, Action>>;

/** Creates the kinds of actions, which do what the endpoints do. All tenants share them, since their schemas are large. */
export function scheduledActions(config: Config): ScheduledActions {
  const tools = toolRequestSchemas(config);
  const agent = agentRequestSchemas(config);
  const custom = customRequestSchema(config);
  type Single = z.output<typeof tools.execute>;
  type Several = z.output<typeof tools.executeMany>;
  return {
    tool: {
      schema: tools.execute,
      start: (body: Single, context, runs, services) =>
        runs.tools.single(singleCall(body, context, services), context),
    },
    tools: {
      schema: tools.executeMany,
      start: (body: Several, context, runs, services) =>
        runs.tools.parallel(severalCalls(body, { sequence: false }, context, services), context),
    },
    sequence: {
      schema: tools.executeMany,
      start: (body: Several, context, runs, services) =>
        runs.tools.sequence(severalCalls(body, { sequence: true }, context, services), context),
    },
    workflow: {
      schema: custom,
      start: (body: z.output<typeof custom>, context, runs) => runs.custom.run(toCustomRun(body), context),
    },
    agent: {
      schema: agent.execute,
      area: 'agent',
      start: (body: z.output<typeof agent.execute>, context, runs) => runs.agent.execute(body, context),
    },
  };
}
