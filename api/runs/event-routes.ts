import { z } from 'zod';
import { runEventSchema, runSignSchema } from '../../src/contracts/http/run-events';
import type { Engine } from '../../temporal/engine';
import { hideInEvents } from '../../temporal/run-events/hide-in-events';
import { admitLog, readWholeLog } from '../../temporal/run-events/read-log';
import type { RunFeeds } from '../../temporal/run-events/run-feeds';
import type { ShownRuns } from '../../temporal/runs/run-lookup';
import { locateYoungRun } from '../../temporal/runs/young-run';
import { EVENT_STREAM, readLastEventId, SEQUENCE } from '../http/event-stream';
import { documentedAs } from '../http/examples';
import { type AnyRoute, defineStreamRoute } from '../http/route';
import { followRun } from './follow-run';
import { traceIdParams, workflowIdSchema } from './run-schema';
import { runTokenQuery } from './token-routes';

const MAX_EVENTS = 1_000;

const sequence = z.string().regex(SEQUENCE, 'must be the sequence of an event').transform(Number);

const query = z.strictObject({
  after: sequence
    .optional()
    .meta({ type: 'integer', minimum: 0, maximum: 999_999_999 })
    .describe('Only events after this sequence. `Last-Event-ID` comes first'),
  limit: z.coerce
    .number<string>()
    .int()
    .min(1)
    .max(MAX_EVENTS)
    .default(MAX_EVENTS)
    .describe('The number of events in a page of JSON'),
  workflowId: workflowIdSchema.optional(),
  token: runTokenQuery,
});

const pageSchema = z.object({
  events: z.array(runEventSchema),
  next: z
    .int()
    .optional()
    .describe('Send it as `after` for the events that follow; absent after the last event of the run'),
});

export interface EventRoutePorts {
  readonly engine: Engine;
  readonly shown: ShownRuns;
  readonly feeds: RunFeeds;
}

/** The route that follows a run by its events. */
export function runEventRoute({ engine, shown, feeds }: EventRoutePorts): AnyRoute {
  return defineStreamRoute({
    method: 'get',
    path: '/api/runs/:traceId/events',
    ...documentedAs('getRunEvents'),
    access: 'read',
    takesRunToken: true,
    tag: 'Runs',
    summary: 'Follow a run by its events',
    description:
      'Server-sent events until the run has ended. `Last-Event-ID` or `after` goes on after an event that the caller has, ' +
      'also for a run that ended long ago. With `Accept: application/json` the response is a page of the events that ' +
      'there are.',
    request: { params: traceIdParams, query },
    streams: { [EVENT_STREAM]: z.union([runEventSchema, runSignSchema]) },
    whole: pageSchema,
    emptyMeans: 'The run has ended, and the caller has its last event',
    async handler({ params, query: { after: askedAfter = 0, limit, workflowId } }, context) {
      const after = readLastEventId(context.lastEventId) ?? askedAfter;
      const signal = context.signal();
      const scope = { ...shown, owner: context.owner };
      const located = await locateYoungRun(engine, scope, { ...params, workflowId });
      const { isOpen, historyLength, ...run } = located;
      if (context.accepts(EVENT_STREAM, 'application/json') !== 'application/json') {
        // An open run may be followed for hours. Its log is in memory once for all who do.
        if (!isOpen) await admitLog(context.admit, historyLength);
        return followRun(feeds, run, { after, mayHaveEnded: !isOpen, signal });
      }
      const atMost = after + limit;
      await admitLog(context.admit, historyLength, atMost);
      const { events, hasEnded } = await readWholeLog(engine, run, {
        toData: shown.toData,
        admit: context.admit,
        signal,
        atMost,
      });
      const page = hideInEvents(events.slice(after, atMost), context.redactor);
      const isLast = hasEnded && after + page.length >= events.length;
      const data = { events: page, ...(isLast ? {} : { next: after + page.length }) };
      return { data, message: 'Events retrieved successfully' };
    },
  });
}
