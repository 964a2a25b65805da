const SECRET_NAME =
  /authorization|cookie|secret|token|password|passwd|api[-_]?key|credential|private[-_]?key/i;
const HIDDEN = '[hidden]';
/** User names, passwords and queries in addresses, which is where keys stand that are in no property. */
const URL_SECRETS = /\b(https?:\/\/)(?:[^\s/?#@]*@)?([^\s?#"]*)(?:[?#][^\s"]*)?/gi;

/**
 * A JSON value with what looks like a secret taken out: by the names of properties, and queries of addresses. For summaries and
 * logs. Pure.
 */
export function redact(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(URL_SECRETS, '$1$2');
  if (Array.isArray(value)) return value.map(redact);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, SECRET_NAME.test(name) ? HIDDEN : redact(item)]),
  );
}
