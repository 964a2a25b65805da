type JsonObject = Readonly<Record<string, unknown>>;

/**
 * Applies a partial change to an object: objects are merged, any other value replaces the current one, and null removes
 * it (JSON Merge Patch, RFC 7396). Pure.
 */
export function mergePatch(current: JsonObject, patch: JsonObject): Record<string, unknown> {
  const merged = new Map(Object.entries(current));
  for (const [name, value] of Object.entries(patch)) {
    if (value === undefined) continue;
    if (value === null) merged.delete(name);
    else merged.set(name, isObject(value) ? mergePatch(toObject(merged.get(name)), value) : value);
  }
  return Object.fromEntries(merged);
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function toObject(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}
