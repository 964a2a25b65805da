import type { z } from 'zod';
import { multipleToolsResultSchema, singleToolResultSchema } from '../../src/contracts/http/tools';
import type { ArgumentChecks } from '../../src/tools/argument-check';
import type { ToolRegistry } from '../../src/tools/registry';
import { documentedAs } from '../http/examples';
import { type AnyRoute, defineRoute, type RequestContext } from '../http/route';
import { type CallPorts, prepareCall, prepareCalls, type PrepareOptions } from '../runs/prepare-calls';
import type { ToolRunRequest, ToolRuns } from './tool-runs';
import { type ToolRequestLimits, toolRequestSchemas } from './tool-requests';

export interface ToolRunRoutesPorts {
  readonly registry: ToolRegistry;
  readonly checks: ArgumentChecks;
  readonly runs: ToolRuns;
  readonly limits: ToolRequestLimits;
}

const TAG = 'Tools';

/** The routes that run tools: one, several at once, or several in order. */
export function toolRunRoutes({ registry, checks, runs, limits }: ToolRunRoutesPorts): AnyRoute[] {
  const requests = toolRequestSchemas(limits);

  const portsOf = ({ owner, signal }: RequestContext): CallPorts => ({
    registry,
    check: checks.of(owner),
    signal: signal(),
  });

  function buildRequest(
    { tools, options }: z.output<typeof requests.executeMany>,
    how: Pick<PrepareOptions, 'sequence'>,
    context: RequestContext,
  ): ToolRunRequest {
    const mayPause = options?.approval !== undefined;
    const prepare = () => prepareCalls(portsOf(context), tools, { ...how, mayPause });
    return { calls: tools, timeoutMs: options?.timeout, approval: options?.approval, prepare };
  }

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
        const { timeout: timeoutMs, approval } = body.options ?? {};
        const mayPause = approval !== undefined;
        const prepare = async () => [await prepareCall(portsOf(context), body, { mayPause })];
        return runs.single({ calls: [body], timeoutMs, approval, prepare }, context);
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
        'A failure does not affect the other tools; the response is an error only where every tool failed.',
      message: 'Tools executed successfully',
      startsRun: true,
      request: { body: requests.executeMany },
      response: multipleToolsResultSchema,
      handler: ({ body }, context) =>
        runs.parallel(buildRequest(body, { sequence: false }, context), context),
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
      handler: ({ body }, context) => runs.sequence(buildRequest(body, { sequence: true }, context), context),
    }),
  ];
}
