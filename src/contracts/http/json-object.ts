import { z } from 'zod';
import { isJsonObject } from '../json';

/**
 * Any JSON object, as it is. The caller chooses how many names it has, and `z.record` would check and copy each one: 80,000 names,
 * which fit into a body of 1 MB, took 90 ms of the event loop.
 */
export const jsonObjectSchema = z
  .custom<Record<string, unknown>>(isJsonObject, 'must be an object')
  .meta({ type: 'object', propertyNames: { type: 'string' }, additionalProperties: {} });
