const SECRET_NAME =
  /authorization|cookie|secret|token|password|passwd|api[-_]?key|credential|private[-_]?key/i;
const HIDDEN = '[hidden]';

/**
 * A JSON value with what looks like a secret taken out, by the names of its properties. For summaries and
 * logs. Pure.
 */
export function redact(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(redact);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, SECRET_NAME.test(name) ? HIDDEN : redact(item)]),
  );
}
