import { z } from 'zod';
import { validationError } from '../../base/errors';
import type { ExternalImplementation, JsonSchema } from '../../contracts/http/tools';
import { saysWhatElse } from '../../contracts/http/tool-schemas';
import { isJsonObject } from '../../contracts/json';

/** Longest time limit of one call: a day, milliseconds. */
const MAX_EXTERNAL_MS = 86_400_000;
const MIN_MS = 100;

const taskQueue = z
  .string()
  .min(1, 'must not be empty')
  .max(200)
  .describe('A task queue that EXTERNAL_QUEUES has');
const typeName = z.string().min(1, 'must not be empty').max(200);
const milliseconds = z.int().min(MIN_MS).max(MAX_EXTERNAL_MS);

/** How a caller registers an activity of another worker. */
export const activityDeclarationSchema = z.strictObject({
  taskQueue,
  name: typeName.describe('The type of the activity'),
  args: z
    .enum(['object', 'list'])
    .default('object')
    .describe('The arguments as one object, or one by one in the order of the parameters'),
  heartbeatMs: milliseconds
    .optional()
    .describe('An activity without a heartbeat for this long is lost; if left out, that is not looked at'),
});

/** How a caller registers a workflow of another worker. */
export const workflowDeclarationSchema = z.strictObject({
  taskQueue,
  type: typeName.describe('The type of the workflow, which gets the arguments as one object'),
});

/** The schema of the time limit of each call of such a tool. */
export const externalTimeoutSchema = milliseconds;

/** What a registration says of a tool of another worker. */
export interface ExternalDeclaration {
  readonly activity?: z.infer<typeof activityDeclarationSchema> | undefined;
  readonly workflow?: z.infer<typeof workflowDeclarationSchema> | undefined;
  readonly timeoutMs?: number | undefined;
  readonly repeatable?: boolean | undefined;
}

/**
 * Builds what the registry keeps of a tool of another worker.
 * @param isAllowed whether the caller's tenant may name a task queue
 * @returns undefined if the registration names neither an activity nor a workflow
 * @throws HoldfastError `VALIDATION`
 */
export function toExternalImplementation(
  { activity, workflow, timeoutMs, repeatable }: ExternalDeclaration,
  inputSchema: JsonSchema,
  isAllowed: (taskQueue: string) => boolean,
): ExternalImplementation | undefined {
  const field = activity === undefined ? 'workflow' : 'activity';
  const named = activity ?? workflow;
  if (named === undefined) return undefined;
  if (!isAllowed(named.taskQueue))
    throw validationError(
      `${field}.taskQueue`,
      `"${named.taskQueue}" is not a task queue that EXTERNAL_QUEUES has for you`,
    );
  const rules = { timeoutMs, ...(repeatable === true ? { repeatable } : {}) };
  const { taskQueue: queue } = named;
  if (activity === undefined)
    return { kind: 'external', as: 'workflow', taskQueue: queue, name: workflow?.type ?? '', ...rules };
  const { name, args, heartbeatMs } = activity;
  const order = args === 'list' ? { order: orderOf(inputSchema) } : {};
  return { kind: 'external', as: 'activity', taskQueue: queue, name, ...order, heartbeatMs, ...rules };
}

/**
 * The names of parameters in the order in which they are passed one by one.
 * @throws HoldfastError `VALIDATION` for a schema that does not say all of them in an order
 */
function orderOf(inputSchema: JsonSchema): string[] {
  const { properties = {} } = inputSchema;
  const names = isJsonObject(properties) ? Object.keys(properties) : [];
  // JSON objects have such names first, whatever the order in which they were written.
  const isOrdered = !names.some((name) => /^\d+$/.test(name));
  if (names.length > 0 && isOrdered && !saysWhatElse(inputSchema)) return names;
  throw validationError(
    'activity.args',
    'a list needs parameters that are all named in properties, and not by numbers',
  );
}
