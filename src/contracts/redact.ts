import { isCredentialName } from './credential-names';

/** What stands for a credential wherever it is not shown. */
export const HIDDEN = '[hidden]';
/** Matches URLs with their user names, passwords and queries, where secrets are that no property name reveals. */
const URL_SECRETS = /\b(https?:\/\/)(?:[^\s/?#@]*@)?([^\s?#"]*)(?:[?#][^\s"]*)?/gi;
/** Matches a URL at the end of a text that was cut. */
const CUT_ADDRESS = /(https?:\/\/)\S*$/i;
/** Further characters are read beyond the requested ones, because hiding secrets makes a text shorter. */
const MARGIN = 1_000;

/** Removes user names, passwords and queries of URLs from a text, where secrets are that no name reveals. Pure. */
export function stripUrls(text: string): string {
  return text.replace(URL_SECRETS, '$1$2');
}

/**
 * Returns the beginning of a text without the secrets of its URLs. It reads about `length` characters, however long the
 * text is. A URL that is cut is left out, since its part may end in a password. Pure.
 */
export function redactedStart(text: string, length: number): string {
  const read = Math.max(0, length) + MARGIN;
  const start = text.length <= read ? text : text.slice(0, read).replace(CUT_ADDRESS, '$1');
  return stripUrls(start);
}

/**
 * Returns the beginning of `JSON.stringify(value)` without credentials and the secrets of URLs, with at least `length` characters if the text is that
 * long. The rest is neither read nor copied. Pure.
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
      writeValue(isCredentialName(name) ? HIDDEN : item);
      opening = ',';
    }
    write(opening === '{' ? '{}' : '}');
  };
  writeValue(value);
  return parts.join('');
}
