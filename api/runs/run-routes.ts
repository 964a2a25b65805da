import { z } from 'zod';
import type { Engine } from '../../temporal/engine';
import { findRun } from '../../temporal/run-lookup';
import type { AnyRoute } from '../http/route';
import { defineRoute } from '../http/route';
import { WORKFLOW_TYPES } from './workflow-types';

const runSchema = z.object({
  workflowId: z.string(),
  traceId: z.string(),
  type: z.string(),
  status: z
    .string()
    .describe(
      'running, paused, completed, failed, cancelled, terminated or timed_out. Where the run continued as new, status, end, ' +
        'result and error are those of the latest run of its chain',
    ),
  startedAt: z.iso.datetime(),
  closedAt: z.iso.datetime().nullable(),
  result: z.unknown().optional(),
  error: z.object({ code: z.string(), message: z.string(), details: z.unknown().optional() }).optional(),
});

const workflowId = z.string().min(1, 'must not be empty').max(500, 'must have at most 500 characters');

/** The routes that look up a run by its trace id or workflow id, for a caller that did not wait for the result. */
export function runRoutes(engine: Engine, taskQueue: string): AnyRoute[] {
  const scope = { taskQueue, workflowTypes: WORKFLOW_TYPES };
  return [
    defineRoute({
      method: 'get',
      path: '/api/runs/:traceId',
      tag: 'Runs',
      summary: 'State and result of a run',
      description:
        'With `workflowId` the response is immediate; without it, a new run is found within about a second.',
      message: 'Run retrieved successfully',
      request: {
        params: z.object({ traceId: z.uuid('must be a trace id') }),
        query: z.object({ workflowId: workflowId.optional() }),
      },
      response: runSchema,
      handler: ({ params, query }) => findRun(engine, scope, { ...params, ...query }),
    }),
    defineRoute({
      method: 'get',
      path: '/api/runs',
      tag: 'Runs',
      summary: 'State and result of the latest run of a workflow id',
      description:
        'For a caller without a trace id, for example where the start of the run was not confirmed in time.',
      message: 'Run retrieved successfully',
      request: { query: z.object({ workflowId }) },
      response: runSchema,
      handler: ({ query }) => findRun(engine, scope, query),
    }),
  ];
}
