import { z } from 'zod';
import { isWellFormed } from '../../src/base/text/well-formed';
import { NOT_WELL_FORMED } from '../../src/contracts/tenants';
import type { Engine } from '../../temporal/engine';
import type { RunRecord, ShownRuns } from '../../temporal/runs/run-lookup';
import { type StopRequest, stopRun } from '../../temporal/runs/stop-run';
import { documentedAs } from '../http/examples';
import { type AnyRoute, defineRoute } from '../http/route';
import { withSteps } from '../../requests/answers/with-steps';
import { runSchema, traceIdParams, workflowIdSchema } from './run-schema';
import { NOT_BLANK } from '../../src/contracts/constants';

const reason = z
  .string()
  .max(500, 'must have at most 500 characters')
  .regex(NOT_BLANK, 'must not be blank')
  // The Temporal server takes no other texts.
  .refine(isWellFormed, NOT_WELL_FORMED)
  .describe('Shown in the record of the run and in the Temporal UI');

interface StopRoute {
  readonly how: StopRequest['how'];
  readonly summary: string;
  readonly description: string;
  readonly body: z.ZodType<{ readonly reason?: string | undefined }>;
}

/** The routes that stop a run. */
export function stopRoutes(engine: Engine, shown: ShownRuns): AnyRoute[] {
  const stopRoute = ({ how, summary, description, body }: StopRoute): AnyRoute =>
    defineRoute({
      method: 'post',
      path: `/api/runs/:traceId/${how}`,
      ...documentedAs(`${how}Run`),
      access: how === 'terminate' ? 'admin' : 'run',
      tag: 'Runs',
      summary,
      description,
      message: (run) => (isOpen(run) ? 'The run is being stopped' : 'The run has ended'),
      request: {
        params: traceIdParams,
        query: z.strictObject({ workflowId: workflowIdSchema.optional() }),
        body,
      },
      response: runSchema,
      isPending: isOpen,
      async handler({ params: { traceId }, query: { workflowId }, body: { reason: why } }, context) {
        const { owner, admit } = context;
        const scope = { ...shown, owner, admit };
        const request: StopRequest = how === 'cancel' ? { how, reason: why } : { how, reason: why ?? '' };
        const record = await stopRun(engine, scope, { traceId, workflowId }, request);
        context.logger.info(
          { traceId, workflowId: record.workflowId, status: record.status },
          `asked to ${how} a run`,
        );
        return withSteps(engine, record, context);
      },
    });
  return [
    stopRoute({
      how: 'cancel',
      summary: 'Cancel a run',
      description:
        'Asks the run to end: its steps are cancelled and it ends as `cancelled`. The response is a 200 with the record ' +
        'if it has ended within about 2 s or had ended before, else a 202. The request is kept by the server, so it ' +
        'holds also while no worker is polling. An erasure cannot be cancelled.',
      body: z.strictObject({ reason: reason.optional() }),
    }),
    stopRoute({
      how: 'terminate',
      summary: 'Terminate a run',
      description:
        'For operators. Ends the run at once, without its own code. A run that had ended stays as it is. An erasure ' +
        'cannot be terminated.',
      body: z.strictObject({ reason }),
    }),
  ];
}

function isOpen({ closedAt }: Pick<RunRecord, 'closedAt'>): boolean {
  return closedAt === null;
}
