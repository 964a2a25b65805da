import { isJsonObject, type JsonObject } from './json';

/**
 * Applies a partial change to an object: objects are merged, any other value replaces the current one, and null removes
 * it (JSON Merge Patch, RFC 7396, before that 7386). A name such as `__proto__` is a name like any other. Pure.
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

function toObject(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}
