import { plannerLoopResultSchema, toolFromQueryResultSchema } from '../../src/contracts/http/workflows';
import type { AnyRoute } from '../http/route';
import { defineRoute } from '../http/route';
import { messageOfPlannedRun } from '../runs/planned-message';
import type { PlannedRuns } from '../runs/planned-runs';
import type { QueryRequestLimits } from '../runs/query-requests';
import { queryRequestSchemas } from '../runs/query-requests';

const TAG = 'Tools';

/** Running tools from a sentence. */
export function toolQueryRoutes(runs: PlannedRuns, limits: QueryRequestLimits): AnyRoute[] {
  const requests = queryRequestSchemas(limits);
  return [
    defineRoute({
      method: 'post',
      path: '/api/tools/execute-with-llm',
      tag: TAG,
      summary: 'Run one tool with arguments taken from a sentence',
      description:
        'The arguments are checked before the tool runs; one that the sentence does not give is named.',
      message: 'Tool executed with LLM successfully',
      startsRun: true,
      request: { body: requests.withTool },
      response: toolFromQueryResultSchema,
      handler: ({ body }, context) => runs.toolFromQuery(body, context),
    }),
    defineRoute({
      method: 'post',
      path: '/api/tools/mcp',
      tag: TAG,
      summary: 'Choose tools for a sentence and run them in order',
      description:
        'Results feed later calls. After a failure the planner may try another way, PLANNER_MAX_REPLANS times.',
      message: (data) => messageOfPlannedRun(data, 'MCP execution completed successfully'),
      startsRun: true,
      request: { body: requests.planned },
      response: plannerLoopResultSchema,
      handler: ({ body }, context) => runs.mcp(body, context),
    }),
  ];
}
