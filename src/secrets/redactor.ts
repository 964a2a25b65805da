import { HoldfastError } from '../base/errors';
import { createNameTest, isCredentialName } from '../contracts/credential-names';
import { HIDDEN } from '../contracts/redact';
import type { JsonObject } from '../contracts/json';
import { findCredentials, type FoundCredential, mayHaveCredentials } from './credential-texts';

/** Longer texts are documents rather than fields; what they say is not searched, because that would take long. */
const MAX_SEARCHED = 16_384;
/** How many characters of texts one value has searched, so that a large result takes no long time. Names count in all of it. */
const MAX_SEARCHED_IN_ALL = 4_194_304;
/** What is nested deeper is hidden as a whole. */
const MAX_DEPTH = 500;
/** Shorter credentials are not looked for in other texts, because they would be found in words. */
const MIN_REPEATED = 6;

/** Strikes out credentials, by the names of the headers and fields that carry them. */
export interface Redactor {
  /** Replaces the credentials in a JSON value; returns the value itself if it has none. */
  value<T>(value: T): T;
  /** Replaces the credentials in a text. */
  text(text: string): string;
  /** Replaces those in the message and the details of an error. */
  error(error: HoldfastError): HoldfastError;
  /** The credentials in a JSON value that an error may repeat. */
  credentialsIn(value: unknown): readonly string[];
  /** Where the credentials of a text are. */
  find(text: string): readonly FoundCredential[];
  /** Whether the value of a field carries a credential, by its name or by the name beside it: `{ name: 'Cookie', value: '…' }`. */
  isCredential(owner: JsonObject, name: string): boolean;
}

/** Creates a redactor. @param names those that are added to the names of `credential-names.ts` */
export function createRedactor(names: readonly string[] = []): Redactor {
  const isNamed = remembering(names.length === 0 ? isCredentialName : createNameTest(names));

  const find = (text: string): FoundCredential[] => findCredentials(text, isNamed);

  function isCredential(owner: JsonObject, name: string): boolean {
    if (isNamed(name)) return true;
    const named = name === 'value' ? (owner['name'] ?? owner['key'] ?? owner['header']) : undefined;
    return typeof named === 'string' && isNamed(named);
  }

  /** @param note is given each credential, and returns what stands for it */
  function strike(given: unknown, note: (credential: string) => string): unknown {
    let left = MAX_SEARCHED_IN_ALL;
    return visit(given, false, 0);

    function visit(value: unknown, isStruck: boolean, depth: number): unknown {
      if (typeof value === 'string') {
        if (isStruck) return value === '' ? value : note(value);
        if (value.length > Math.min(MAX_SEARCHED, left) || !mayHaveCredentials(value)) return value;
        left -= value.length;
        return strikeText(value, note);
      }
      if (typeof value === 'number') return isStruck ? note(String(value)) : value;
      if (typeof value !== 'object' || value === null) return value;
      if (depth > MAX_DEPTH) return HIDDEN;
      if (Array.isArray(value)) return changeItems(value, (item) => visit(item, isStruck, depth + 1));
      if (!isPlain(value)) return value;
      return changeFields(value, (name, item) =>
        visit(item, isStruck || isCredential(value, name), depth + 1),
      );
    }
  }

  function strikeText(text: string, note: (credential: string) => string): string {
    const places = find(text);
    if (places.length === 0) return text;
    const parts = places.map(
      ({ start, end }, at) => text.slice(places[at - 1]?.end ?? 0, start) + note(text.slice(start, end)),
    );
    return parts.join('') + text.slice(places.at(-1)?.end);
  }

  const hide = (): string => HIDDEN;
  const redactor: Redactor = {
    value: <T>(value: T) => strike(value, hide) as T,
    text: (text) => (mayHaveCredentials(text) ? strikeText(text, hide) : text),
    error: (error) => changed(error, redactor.text(error.message), redactor.value(error.details)),
    credentialsIn(value) {
      const credentials = new Set<string>();
      strike(value, (credential) => {
        // A server that refuses a credential may repeat it without its scheme.
        for (const text of [credential, credential.replace(/^\w+\s+/, '')])
          if (text.length >= MIN_REPEATED) credentials.add(text);
        return credential;
      });
      return [...credentials].sort((a, b) => b.length - a.length);
    },
    find,
    isCredential,
  };
  return redactor;
}

/** Replaces credentials in the message and the details of an error, wherever they are in it. Pure. */
export function withoutCredentials(error: HoldfastError, credentials: readonly string[]): HoldfastError {
  const clean = (text: string): string =>
    credentials.reduce((rest, one) => rest.replaceAll(one, HIDDEN), text);
  const cleanValue = (value: unknown, depth = 0): unknown => {
    if (typeof value === 'string') return clean(value);
    if (depth > MAX_DEPTH) return value;
    if (Array.isArray(value)) return changeItems(value, (item) => cleanValue(item, depth + 1));
    if (typeof value !== 'object' || value === null || !isPlain(value)) return value;
    return changeFields(value, (_name, item) => cleanValue(item, depth + 1));
  };
  return changed(error, clean(error.message), cleanValue(error.details) as HoldfastError['details']);
}

/** The error with another message and other details, without its cause, which may say the same as the message did. */
function changed(error: HoldfastError, message: string, details: HoldfastError['details']): HoldfastError {
  const { code, retryable, retryAfterMs } = error;
  if (message === error.message && details === error.details) return error;
  return new HoldfastError(code, message, {
    retryable,
    details,
    retryAfterMs,
  });
}

function isPlain(value: object): value is JsonObject {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** Copies only if an item changes, because results may be large. */
function changeItems(items: readonly unknown[], change: (item: unknown) => unknown): readonly unknown[] {
  let copy: unknown[] | undefined;
  for (let at = 0; at < items.length; at += 1) {
    const after = change(items[at]);
    if (after !== items[at]) (copy ??= [...items])[at] = after;
  }
  return copy ?? items;
}

function changeFields(object: JsonObject, change: (name: string, item: unknown) => unknown): JsonObject {
  let copy: JsonObject | undefined;
  for (const name of Object.keys(object)) {
    const after = change(name, object[name]);
    if (after === object[name]) continue;
    copy ??= { ...object };
    // An assignment to a field named `__proto__` would change the prototype.
    Object.defineProperty(copy, name, { value: after, enumerable: true, writable: true, configurable: true });
  }
  return copy ?? object;
}

const MAX_REMEMBERED = 1_000;

/** Large results repeat a few names many times. */
function remembering(test: (name: string) => boolean): (name: string) => boolean {
  const known = new Map<string, boolean>();
  return (name) => {
    let is = known.get(name);
    if (is === undefined) {
      is = test(name);
      if (known.size >= MAX_REMEMBERED) known.clear();
      known.set(name, is);
    }
    return is;
  };
}
