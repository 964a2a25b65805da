import { isJsonObject, type JsonObject } from '../../contracts/json';

/** Fields that a memory may lack, and that null leaves out. */
const OPTIONAL: ReadonlySet<string> = new Set(['location', 'participants']);

/**
 * Applies a partial change to an object: objects are merged, any other value replaces the current one, and null removes
 * it (JSON Merge Patch, RFC 7396). Pure.
 */
export function mergePatch(current: JsonObject, patch: JsonObject): Record<string, unknown> {
  const merged = new Map(Object.entries(current));
  for (const [name, value] of Object.entries(patch)) {
    if (value === undefined) continue;
    if (value === null) merged.delete(name);
    else merged.set(name, isJsonObject(value) ? mergePatch(toObject(merged.get(name)), value) : value);
  }
  return Object.fromEntries(merged);
}

/** Adds what a new memory has in the place of defaults; nulls inside of it are kept, because nothing is removed. Pure. */
export function withDefaults(defaults: JsonObject, given: JsonObject = {}): Record<string, unknown> {
  const named = Object.entries(given).filter(
    ([name, value]) => value !== undefined && (value !== null || !OPTIONAL.has(name)),
  );
  return Object.fromEntries([...Object.entries(defaults), ...named]);
}

function toObject(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}
