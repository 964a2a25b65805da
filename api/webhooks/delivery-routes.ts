import { z } from 'zod';
import { newId } from '../../src/base/ids';
import { DELIVERY_STATUSES, deliverySchema } from '../../src/contracts/http/webhooks';
import type { Engine } from '../../temporal/engine';
import type { LookupScope } from '../../temporal/runs/run-lookup';
import { locateYoungRun } from '../../temporal/runs/young-run';
import { listDeliveries } from '../../temporal/webhooks/list-deliveries';
import { resendDelivery } from '../../temporal/webhooks/resend-delivery';
import { documentedAs } from '../http/examples';
import { type AnyRoute, defineRoute } from '../http/route';
import { DEFAULT_LIMIT, limitFilter } from '../runs/list-requests';
import { decodeToken, encodeToken } from '../runs/page-token';

const listQuery = z.strictObject({
  status: z.enum(DELIVERY_STATUSES).optional(),
  traceId: z.uuid('must be a trace id').optional().describe('The run whose events are delivered'),
  limit: limitFilter,
  cursor: z.string().max(2_000).optional().describe('`next` of the previous page'),
});

const TAG = 'Webhooks';

export interface DeliveryRoutesPorts {
  readonly engine: Engine;
  readonly shown: Omit<LookupScope, 'owner'>;
}

/** The routes that show what was delivered of the events of runs. */
export function deliveryRoutes({ engine, shown }: DeliveryRoutesPorts): AnyRoute[] {
  const { taskQueue } = shown;
  return [
    defineRoute({
      method: 'get',
      path: '/api/webhooks/deliveries',
      ...documentedAs('listDeliveries'),
      access: 'read',
      tag: TAG,
      summary: 'Deliveries of events of runs, those that are pending first, newest first',
      description: 'A new delivery is listed within about a second.',
      message: ({ deliveries }) => `Found ${deliveries.length} deliveries`,
      request: { query: listQuery },
      response: z.object({
        deliveries: z.array(deliverySchema),
        next: z.string().optional().describe('Cursor of the next page; absent on the last page'),
      }),
      async handler({ query: { status, traceId, limit = DEFAULT_LIMIT, cursor } }, { owner, redactor }) {
        const run =
          traceId === undefined ? undefined : await locateYoungRun(engine, { ...shown, owner }, { traceId });
        const wanted = { status, workflowId: run?.workflowId, owner };
        const token = cursor === undefined ? undefined : decodeToken(cursor, wanted);
        const { deliveries, next } = await listDeliveries(engine, taskQueue, wanted, { limit, token });
        return {
          deliveries: [...redactor.value(deliveries)],
          ...(next === undefined ? {} : { next: encodeToken(next, wanted) }),
        };
      },
    }),
    defineRoute({
      method: 'post',
      path: '/api/webhooks/deliveries/:deliveryId/resend',
      ...documentedAs('resendDelivery'),
      access: 'run',
      tag: TAG,
      summary: 'Send the message of a delivery that has ended again',
      description: 'Another delivery sends it, with the same `webhook-id` and body.',
      message: 'Delivery started successfully',
      isPending: () => true,
      request: {
        params: z.object({ deliveryId: z.string().min(1).max(2_000) }),
        body: z.strictObject({}),
      },
      response: deliverySchema,
      handler: ({ params: { deliveryId } }, { owner }) =>
        resendDelivery(engine, taskQueue, deliveryId, { owner, newId }),
    }),
  ];
}
