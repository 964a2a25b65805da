import type { JsonObject } from '../../contracts/json';

/** Fields that a memory may lack, and that null leaves out. */
const OPTIONAL: ReadonlySet<string> = new Set(['location', 'participants']);

/** Adds what a new memory has in the place of defaults; nulls inside of it are kept, because nothing is removed. Pure. */
export function withDefaults(defaults: JsonObject, given: JsonObject = {}): Record<string, unknown> {
  const named = Object.entries(given).filter(
    ([name, value]) => value !== undefined && (value !== null || !OPTIONAL.has(name)),
  );
  return Object.fromEntries([...Object.entries(defaults), ...named]);
}
