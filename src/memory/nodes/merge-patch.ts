type JsonObject = Readonly<Record<string, unknown>>;

/**
 * What an object is after a partial change: objects are merged, anything else takes the place of what was there, and null
 * takes it away (JSON Merge Patch, RFC 7396). Pure.
 */
export function mergePatch(current: JsonObject, patch: JsonObject): Record<string, unknown> {
  const merged = new Map(Object.entries(current));
  for (const [name, value] of Object.entries(patch)) {
    if (value === undefined) continue;
    if (value === null) merged.delete(name);
    else merged.set(name, isObject(value) ? mergePatch(asObject(merged.get(name)), value) : value);
  }
  return Object.fromEntries(merged);
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function asObject(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}
