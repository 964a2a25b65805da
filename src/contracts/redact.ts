const SECRET_NAME =
  /authorization|cookie|secret|token|password|passwd|api[-_]?key|credential|private[-_]?key/i;
const HIDDEN = '[hidden]';
/** User names, passwords and queries in addresses, which is where keys stand that are in no property. */
const URL_SECRETS = /\b(https?:\/\/)(?:[^\s/?#@]*@)?([^\s?#"]*)(?:[?#][^\s"]*)?/gi;
/** What follows the last white space of a text that was cut, from an address on. */
const CUT_ADDRESS = /(https?:\/\/)\S*$/i;
/** A name longer than this is not searched for words that name a secret; its value is hidden. */
const MAX_NAME_LENGTH = 1_000;
/** Characters that are read beyond those asked for, because hiding makes a text shorter. */
const MARGIN = 1_000;

/**
 * A JSON value with what looks like a secret taken out: by the names of properties, and queries of addresses. For summaries and
 * logs. Pure.
 */
export function redact(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(URL_SECRETS, '$1$2');
  if (Array.isArray(value)) return value.map(redact);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, isSecretName(name) ? HIDDEN : redact(item)]),
  );
}

/**
 * The beginning of a text without the secrets of its addresses. Reads about `length` characters, however long the text is;
 * an address that the cut goes through is left out, since half of it may end in a password. Pure.
 */
export function redactedStart(text: string, length: number): string {
  const read = Math.max(0, length) + MARGIN;
  const start = text.length <= read ? text : text.slice(0, read).replace(CUT_ADDRESS, '$1');
  return start.replace(URL_SECRETS, '$1$2');
}

/**
 * The JSON text of a value without its secrets, as `JSON.stringify(redact(value))` begins. It has at least `length`
 * characters where there are as many, and what comes after them is neither read nor copied. Pure.
 */
export function redactedJson(value: unknown, length: number): string {
  const parts: string[] = [];
  let left = length;
  const write = (part: string): void => {
    parts.push(part);
    left -= part.length;
  };
  const writeText = (text: string): void => write(JSON.stringify(redactedStart(text, left)));
  const writeValue = (item: unknown): void => {
    if (typeof item === 'string') writeText(item);
    else if (Array.isArray(item)) writeItems(item);
    else if (typeof item === 'object' && item !== null) writeProperties(item);
    else write(item === undefined ? 'null' : JSON.stringify(item));
  };
  const writeItems = (items: readonly unknown[]): void => {
    for (let at = 0; at < items.length && left >= 0; at += 1) {
      write(at === 0 ? '[' : ',');
      writeValue(items[at]);
    }
    write(items.length === 0 ? '[]' : ']');
  };
  const writeProperties = (object: object): void => {
    let opening = '{';
    for (const name in object) {
      if (left < 0) break;
      const item = (object as Readonly<Record<string, unknown>>)[name];
      if (!Object.hasOwn(object, name) || item === undefined) continue;
      write(opening);
      writeText(name);
      write(':');
      writeValue(isSecretName(name) ? HIDDEN : item);
      opening = ',';
    }
    write(opening === '{' ? '{}' : '}');
  };
  writeValue(value);
  return parts.join('');
}

function isSecretName(name: string): boolean {
  return name.length > MAX_NAME_LENGTH || SECRET_NAME.test(name);
}
