import { multipleToolsResultSchema, singleToolResultSchema } from '../../src/contracts/tools';
import type { ToolRegistry } from '../../src/tools/registry';
import type { AnyRoute } from '../http/route';
import { defineRoute } from '../http/route';
import { prepareCall, prepareCalls } from '../tools/prepare-calls';
import type { ToolRuns } from '../tools/tool-runs';
import type { ToolRequestLimits } from './tool-requests';
import { toolRequestSchemas } from './tool-requests';

export interface ToolRunRoutesPorts {
  readonly registry: ToolRegistry;
  readonly runs: ToolRuns;
  readonly limits: ToolRequestLimits;
}

const TAG = 'Tools';

/** Running tools: one, several at once, several in order. */
export function toolRunRoutes({ registry, runs, limits }: ToolRunRoutesPorts): AnyRoute[] {
  const requests = toolRequestSchemas(limits);
  return [
    defineRoute({
      method: 'post',
      path: '/api/tools/execute',
      tag: TAG,
      summary: 'Run one tool',
      message: 'Tool executed successfully',
      startsRun: true,
      request: { body: requests.execute },
      response: singleToolResultSchema,
      handler: async ({ body }, context) => {
        const call = await prepareCall(registry, body);
        return runs.single(call, body.options?.timeout, context);
      },
    }),
    defineRoute({
      method: 'post',
      path: '/api/tools/execute-multiple',
      tag: TAG,
      summary: 'Run several tools at the same time',
      description:
        'One failure leaves the others alone; the answer is an error only where every tool failed.',
      message: 'Tools executed successfully',
      startsRun: true,
      request: { body: requests.executeMany },
      response: multipleToolsResultSchema,
      handler: async ({ body }, context) => {
        const calls = await prepareCalls(registry, body.tools, { sequence: false });
        return runs.parallel(calls, body.options?.timeout, context);
      },
    }),
    defineRoute({
      method: 'post',
      path: '/api/tools/execute-sequential',
      tag: TAG,
      summary: 'Run several tools one after another',
      description:
        '`{{previous_result}}` in an argument stands for the preceding output. The first failure ends the sequence.',
      message: 'Tools executed sequentially successfully',
      startsRun: true,
      request: { body: requests.executeMany },
      response: multipleToolsResultSchema,
      handler: async ({ body }, context) => {
        const calls = await prepareCalls(registry, body.tools, { sequence: true });
        return runs.sequence(calls, body.options?.timeout, context);
      },
    }),
  ];
}
