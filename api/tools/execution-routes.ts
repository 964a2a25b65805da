import { multipleToolsResultSchema, singleToolResultSchema } from '../../src/contracts/http/tools';
import { documentedAs } from '../http/examples';
import { type AnyRoute, routesWith } from '../http/route';
import { severalCalls, singleCall, type ToolCallServices } from '../../requests/tool-calls';
import type { ToolRuns } from '../../requests/tool-runs';
import { type ToolRequestLimits, toolRequestSchemas } from '../../requests/tool-requests';

/** What the routes of tool calls need of the caller's tenant. */
export interface ToolRunServices extends ToolCallServices {
  readonly runs: { readonly tools: ToolRuns };
}

const { defineRoute } = routesWith<ToolRunServices>();

const TAG = 'Tools';

/** The routes that run tools: one, several at once, or several in order. */
export function toolRunRoutes(limits: ToolRequestLimits): AnyRoute<ToolRunServices>[] {
  const requests = toolRequestSchemas(limits);
  return [
    defineRoute({
      method: 'post',
      path: '/api/tools/execute',
      ...documentedAs('executeTool'),
      access: 'run',
      tag: TAG,
      summary: 'Run one tool',
      message: 'Tool executed successfully',
      startsRun: true,
      request: { body: requests.execute },
      response: singleToolResultSchema,
      handler: ({ body }, context) => {
        const { services } = context;
        return services.runs.tools.single(singleCall(body, context, services), context);
      },
    }),
    defineRoute({
      method: 'post',
      path: '/api/tools/execute-multiple',
      ...documentedAs('executeTools'),
      access: 'run',
      tag: TAG,
      summary: 'Run several tools at the same time',
      description:
        'A failure does not affect the other tools; the response is an error only if every tool failed.',
      message: 'Tools executed successfully',
      startsRun: true,
      request: { body: requests.executeMany },
      response: multipleToolsResultSchema,
      handler: ({ body }, context) => {
        const { services } = context;
        const request = severalCalls(body, { sequence: false }, context, services);
        return services.runs.tools.parallel(request, context);
      },
    }),
    defineRoute({
      method: 'post',
      path: '/api/tools/execute-sequential',
      ...documentedAs('executeToolSequence'),
      access: 'run',
      tag: TAG,
      summary: 'Run several tools one after another',
      description:
        '`{{previous_result}}` in an argument stands for the previous output. The first failure ends the sequence.',
      message: 'Tools executed sequentially successfully',
      startsRun: true,
      request: { body: requests.executeMany },
      response: multipleToolsResultSchema,
      handler: ({ body }, context) => {
        const { services } = context;
        const request = severalCalls(body, { sequence: true }, context, services);
        return services.runs.tools.sequence(request, context);
      },
    }),
  ];
}
