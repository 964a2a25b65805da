import { z } from 'zod';
import { lotSchema, recordIdSchema } from '../contracts/common';
import { dateSchema, timeSchema } from '../../../src/contracts/http/time-schemas';
import { type Trace, TRACE_DIRECTIONS, traceSchema } from '../contracts/trace';
import type { TraceOptions } from '../domain/trace/create-traces';
import { type AnyRoute, routesWith } from '../../../api/http/route';
import type { RecordServices } from './collection-routes';
import { EXAMPLES } from './examples';
import type { RecordLimits } from './record-routes';
import { queryLimitSchema } from '../../../requests/request-options';

const { defineRoute } = routesWith<RecordServices>();

const TAG = 'Traces';
const DESCRIPTION =
  'Goods are followed from shipment to shipment. A shipment that left a facility before they arrived is not affected, nor is ' +
  'a shipment that has only other lots. `path` lists the shipments in between.';
const DEFAULT_SHIPMENTS = 1_000;

const byId = z.object({ id: recordIdSchema });
const since = z.union([timeSchema, dateSchema]);

/** The routes that trace where goods went and where they came from. */
export function recordTraceRoutes(limits: RecordLimits): AnyRoute<RecordServices>[] {
  const max = limits.RECORDS_MAX_TRACE_SHIPMENTS;
  const bounds = {
    direction: z
      .enum(TRACE_DIRECTIONS)
      .default('downstream')
      .describe('downstream: what may be affected; upstream: where it may have come from'),
    maxHops: z.coerce
      .number()
      .int()
      .min(1)
      .max(100)
      .default(10)
      .describe('Maximum number of shipments in a row'),
    limit: queryLimitSchema(max, 'RECORDS_MAX_TRACE_SHIPMENTS')
      .default(Math.min(DEFAULT_SHIPMENTS, max))
      .describe('Maximum number of shipments in each direction'),
    from: since.optional().describe('Only departures at or after this time'),
    to: since.optional().describe('Only departures at or before this time'),
    matchLots: z
      .enum(['true', 'false'])
      .default('true')
      .describe('false: all goods of a facility are followed together, independent of their lots'),
  };
  const query = z.strictObject(bounds);

  return [
    defineRoute({
      method: 'get',
      path: '/api/contaminants/:id/trace',
      operationId: 'traceContaminant',
      access: 'records',
      tag: TAG,
      summary: 'Goods that a contaminant may have affected, or its possible sources, from its detections',
      description: DESCRIPTION,
      message: toMessage,
      request: { params: byId, query },
      response: traceSchema,
      example: { params: { id: EXAMPLES.contaminants.exampleId } },
      handler: ({ params, query: options }, { services }) =>
        services.records.traces.contaminant(params.id, toOptions(options)),
    }),
    defineRoute({
      method: 'get',
      path: '/api/shipments/:id/trace',
      operationId: 'traceShipment',
      access: 'records',
      tag: TAG,
      summary: 'Where the goods of a shipment went or came from',
      description: DESCRIPTION,
      message: toMessage,
      request: { params: byId, query },
      response: traceSchema,
      example: { params: { id: EXAMPLES.shipments.exampleId } },
      handler: ({ params, query: options }, { services }) =>
        services.records.traces.shipment(params.id, toOptions(options)),
    }),
    defineRoute({
      method: 'get',
      path: '/api/facilities/:id/trace',
      operationId: 'traceFacility',
      access: 'records',
      tag: TAG,
      summary: 'Where the goods of a facility went or came from',
      description: DESCRIPTION,
      message: toMessage,
      request: {
        params: byId,
        query: z.strictObject({
          ...bounds,
          since: since
            .optional()
            .describe('Downstream: goods that left at or after this time; absent: at any time'),
          until: since
            .optional()
            .describe('Upstream: goods that arrived at or before this time; absent: at any time'),
        }),
      },
      response: traceSchema,
      example: { params: { id: EXAMPLES.facilities.exampleId } },
      handler: ({ params, query: options }, { services }) =>
        services.records.traces.facility(params.id, {
          ...toOptions(options),
          since: toRangeStart(options.since),
          until: toRangeEnd(options.until),
        }),
    }),
    defineRoute({
      method: 'get',
      path: '/api/lots/:lot/trace',
      operationId: 'traceLot',
      access: 'records',
      tag: TAG,
      summary: 'Where a lot went and what was made from it, or where it came from',
      description: DESCRIPTION,
      message: toMessage,
      request: { params: z.object({ lot: lotSchema }), query },
      response: traceSchema,
      example: { params: { lot: EXAMPLES.lot } },
      handler: ({ params, query: options }, { services }) =>
        services.records.traces.lot(params.lot, toOptions(options)),
    }),
  ];
}

type Asked = Omit<TraceOptions, 'matchLots'> & { readonly matchLots: 'true' | 'false' };

function toOptions({ direction, maxHops, limit, from, to, matchLots }: Asked): TraceOptions {
  return {
    direction,
    maxHops,
    limit,
    from: toRangeStart(from),
    to: toRangeEnd(to),
    matchLots: matchLots === 'true',
  };
}

/** A date without a time stands for its whole day in UTC. */
function toRangeStart(text: string | undefined): string | undefined {
  return text === undefined || text.includes('T') ? text : `${text}T00:00:00.000Z`;
}

function toRangeEnd(text: string | undefined): string | undefined {
  return text === undefined || text.includes('T') ? text : `${text}T23:59:59.999Z`;
}

function toMessage({ downstream, upstream }: Trace): string {
  const counted = (traced: Trace['downstream'], what: string): string[] =>
    traced === undefined
      ? []
      : [`${traced.shipments.length} shipments and ${traced.facilities.length} facilities ${what}`];
  return [...counted(downstream, 'may be affected'), ...counted(upstream, 'may be the source')].join('; ');
}
