import { z } from 'zod';
import { readCursor, writeCursor } from '../../src/base/cursor';
import { dateSchema, timeSchema } from '../../src/contracts/http/time-schemas';
import { toolNameSchema } from '../../src/tools/registry-names';
import type { RunPosition } from '../../temporal/runs/run-position';
import { LISTED_STATUSES } from '../../temporal/runs/run-query';
import { nameSchema } from '../../src/contracts/http/text-schema';
import { workflowIdSchema } from './run-schema';
import { WORKFLOW_TYPES } from '../../requests/workflow-types';
import { AREAS } from '../../src/contracts/runs/search-attributes';

export const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 500;

/**
 * A time, or a date that stands for one, inclusive.
 * @param timeOfDay which time a date stands for
 * @param of what happened at the time
 */
export const timeFilter = (timeOfDay: string, of: string) =>
  z
    .union([timeSchema, dateSchema])
    .overwrite((text) => (text.includes('T') ? text : `${text}T${timeOfDay}Z`))
    .optional()
    .describe(`A time or a date (UTC), inclusive; the time at which ${of}`);

export const START_OF_DAY = '00:00:00.000';
const STARTED = 'the run started';

/** The number of entries of a page. */
export const limitFilter = z.coerce
  .number()
  .int()
  .min(1)
  .max(MAX_LIMIT, `must be at most ${MAX_LIMIT}`)
  .optional()
  .meta({ default: DEFAULT_LIMIT });

const filters = {
  area: z.enum(AREAS).optional(),
  type: z
    .enum([...WORKFLOW_TYPES] as [string, ...string[]])
    .optional()
    .describe('A workflow type'),
  tool: toolNameSchema.optional().describe('A tool that the run uses'),
  status: z.enum(LISTED_STATUSES).optional(),
  userId: nameSchema.optional().describe('The user of a conversation turn'),
  sessionId: nameSchema.optional().describe('The session of a conversation turn; needs `userId`'),
  since: timeFilter(START_OF_DAY, STARTED),
  until: timeFilter('23:59:59.999', STARTED),
  limit: limitFilter,
  cursor: z
    .string()
    .max(200)
    .optional()
    .describe('`next` of the previous page; all other parameters must be the same as for that page'),
};
const shape = {
  workflowId: workflowIdSchema
    .optional()
    .describe('The response is the latest run of this workflow id; no filter may be beside it'),
  ...filters,
};

/** The query of `GET /api/runs`. */
export const listQuerySchema = z.strictObject(shape).superRefine((query, context) => {
  const refuse = (name: string, message: string): void =>
    context.addIssue({ code: 'custom', path: [name], message });
  const given = new Map(Object.entries(query));
  const [filter] = Object.keys(filters).filter((name) => given.get(name) !== undefined);
  if (query.workflowId !== undefined && filter !== undefined)
    refuse('workflowId', `workflowId cannot be combined with ${filter}`);
  if (query.sessionId !== undefined && query.userId === undefined)
    refuse('sessionId', 'sessionId needs userId, because a session belongs to a user');
});

const positionSchema = z.tuple([z.int().nonnegative(), z.uuid()]);

export function encodeCursor({ started, runId }: RunPosition): string {
  return writeCursor([started, runId]);
}

/** @throws HoldfastError `VALIDATION` for a text that is not the cursor of a page */
export function decodeCursor(cursor: string): RunPosition {
  const [started, runId] = readCursor(cursor, positionSchema);
  return { started, runId };
}
