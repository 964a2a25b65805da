import { plannerLoopResultSchema, toolFromQueryResultSchema } from '../../src/contracts/http/workflows';
import { documentedAs } from '../http/examples';
import { type AnyRoute, routesWith } from '../http/route';
import {
  type PlannerRuns,
  plannerMessage,
  type QueryRequestLimits,
  queryRequestSchemas,
} from '../../requests/planner-runs';

/** What routes of planned runs need of the caller's tenant. */
export interface PlannedServices {
  readonly runs: { readonly planned: PlannerRuns };
}

const { defineRoute } = routesWith<PlannedServices>();

const TAG = 'Tools';

/** The routes that run tools from a query in words. */
export function toolQueryRoutes(limits: QueryRequestLimits): AnyRoute<PlannedServices>[] {
  const requests = queryRequestSchemas(limits);
  return [
    defineRoute({
      method: 'post',
      path: '/api/tools/execute-with-llm',
      ...documentedAs('executeToolWithLlm'),
      access: 'run',
      tag: TAG,
      summary: 'Run one tool with arguments taken from a sentence',
      description:
        'The arguments are checked before the tool runs; the error names an argument that the sentence does not give.',
      message: 'Tool executed with LLM successfully',
      startsRun: true,
      request: { body: requests.withTool },
      response: toolFromQueryResultSchema,
      handler: ({ body }, context) => context.services.runs.planned.toolFromQuery(body, context),
    }),
    defineRoute({
      method: 'post',
      path: '/api/tools/mcp',
      ...documentedAs('executeToolsByQuery'),
      access: 'run',
      tag: TAG,
      summary: 'Choose tools for a sentence and run them in order',
      description:
        'Later calls can use results of earlier ones. After a failure the planner may try another way, up to PLANNER_MAX_REPLANS times.',
      message: (data) => plannerMessage(data, 'MCP execution completed successfully'),
      startsRun: true,
      request: { body: requests.planned },
      response: plannerLoopResultSchema,
      handler: ({ body }, context) => context.services.runs.planned.mcp(body, context),
    }),
  ];
}
