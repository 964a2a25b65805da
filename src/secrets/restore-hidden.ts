import { isDeepStrictEqual } from 'node:util';
import { validationError } from '../base/errors';
import { isJsonObject, type JsonObject } from '../contracts/json';
import { HIDDEN } from '../contracts/redact';
import type { FoundCredential } from './credential-texts';
import type { Redactor } from './redactor';
import { groupBy } from '../base/lists';

/** The mark, also as a client writes it that builds a URL anew. */
const MARK = /\[hidden\]|%5Bhidden%5D/i;
const WHOLE_MARK = /^(?:\[hidden\]|%5Bhidden%5D)$/i;
const MAX_DEPTH = 500;
/** Longer arguments were not shown, so a mark in them stands for nothing, and looking for its original would take long. */
const MAX_LENGTH = 32_768;

/**
 * Puts the originals back when a value that was shown without its credentials comes back, changed or not.
 * @param field the name of the value in the request, as in `args`
 * @throws HoldfastError `VALIDATION` if a mark stands for nothing, or not for one thing; and if a URL leads to another
 * origin than the original's, which would get the credential
 */
export function restoreHidden<T>(given: T, original: unknown, redactor: Redactor, field: string): T {
  checkDepth(given, field);
  const text = JSON.stringify(given);
  if (!MARK.test(text)) return given;
  if (text.length > MAX_LENGTH)
    throw validationError(
      field,
      `has "${HIDDEN}" and more than ${MAX_LENGTH} characters; write the values themselves`,
    );
  const restored = restoreValue(given, original, { redactor, path: field, isStruck: false });
  if (restored === given) return given;
  const known = originsIn(original);
  for (const origin of originsIn(given))
    if (!known.has(origin))
      throw validationError(
        field,
        `names ${origin}, to which no hidden value is sent; write the value itself`,
      );
  return restored as T;
}

interface Place {
  readonly redactor: Redactor;
  readonly path: string;
  /** Whether a name above says that texts here are credentials. */
  readonly isStruck: boolean;
}

function restoreValue(given: unknown, original: unknown, place: Place): unknown {
  const { redactor, path, isStruck } = place;
  if (typeof given === 'string') return restoreText(given, original, place);
  if (typeof given !== 'object' || given === null) return given;
  if (Array.isArray(given)) return restoreItems(given, original, place);
  const owner = isJsonObject(original) ? original : {};
  const entries = Object.entries(given).map(([name, item]): [string, unknown] => {
    const isNamed = redactor.isCredential(owner, name) && redactor.isCredential(given as JsonObject, name);
    const restored = restoreValue(item, Object.hasOwn(owner, name) ? owner[name] : undefined, {
      redactor,
      path: `${path}.${name.slice(0, 64)}`,
      isStruck: isStruck || isNamed,
    });
    return [name, restored];
  });
  const isChanged = entries.some(([name, item]) => item !== (given as JsonObject)[name]);
  return isChanged ? Object.fromEntries(entries) : given;
}

function restoreText(given: string, original: unknown, { redactor, path, isStruck }: Place): unknown {
  if (!MARK.test(given)) return given;
  if (typeof original === 'string' || typeof original === 'number') {
    const shown = isStruck && original !== '' ? HIDDEN : redactor.value(original);
    if (given === shown) return original;
    const restored = isStruck ? undefined : restoreParts(given, String(original), redactor);
    if (restored !== undefined) return restored;
  }
  throw validationError(path, `has "${HIDDEN}", which stands for no hidden value here`);
}

/** @returns undefined if a mark stands for nothing, or for one of several values */
function restoreParts(given: string, original: string, { find }: Redactor): string | undefined {
  const marks = find(given).filter(({ start, end }) => WHOLE_MARK.test(given.slice(start, end)));
  // A mark elsewhere is not known by a name.
  if (given.split(MARK).length - 1 !== marks.length) return undefined;
  const values = new Map<FoundCredential, string>();
  const hidden = new Map(groupBy(find(original), ({ name }) => name).map((group) => [group[0].name, group]));
  for (const same of groupBy(marks, ({ name }) => name)) {
    const originals = (hidden.get(same[0].name) ?? []).map(({ start, end }) => original.slice(start, end));
    const areAlike = new Set(originals).size === 1;
    if (same.length !== originals.length && !areAlike) return undefined;
    for (const [at, mark] of same.entries()) values.set(mark, originals[areAlike ? 0 : at] ?? '');
  }
  const parts = marks.map(
    (mark, at) => given.slice(marks[at - 1]?.end ?? 0, mark.start) + (values.get(mark) ?? ''),
  );
  return parts.join('') + given.slice(marks.at(-1)?.end ?? 0);
}

/**
 * Restores items, each from the original that was shown so, wherever that stands now. An item that was changed keeps its
 * place, unless others have moved.
 */
function restoreItems(given: readonly unknown[], original: unknown, place: Place): unknown {
  const { redactor, path, isStruck } = place;
  const originals: readonly unknown[] = Array.isArray(original) ? original : [];
  const shown = originals.map((item) =>
    JSON.stringify(isStruck ? hideAll(item, redactor) : redactor.value(item)),
  );
  const isWhole = given.length === originals.length;
  const known = new Map<string, number | 'unclear'>();
  for (const [at, text] of shown.entries()) {
    const before = known.get(text);
    if (before === undefined) known.set(text, at);
    else if (before !== 'unclear' && !isDeepStrictEqual(originals[before], originals[at]))
      known.set(text, 'unclear');
  }
  const sources = given.map((item, at) => {
    const text = JSON.stringify(item);
    if (!MARK.test(text)) return undefined;
    return isWhole && shown[at] === text ? at : (known.get(text) ?? 'changed');
  });
  const haveMoved = !isWhole || sources.some((source, at) => typeof source === 'number' && source !== at);
  const items = given.map((item, at) => {
    const source = sources[at];
    const below = { redactor, path: `${path}[${at}]`, isStruck };
    if (source === 'unclear' || (source === 'changed' && haveMoved))
      throw validationError(
        below.path,
        `has "${HIDDEN}", but not where it was shown; write the value itself`,
      );
    return restoreValue(item, originals[typeof source === 'number' ? source : at], below);
  });
  return items.some((item, at) => item !== given[at]) ? items : given;
}

/** Shows a value below a name of a credential. */
function hideAll(value: unknown, redactor: Redactor): unknown {
  return redactor.value({ secret: value }).secret;
}

/** The origins of the URLs in all texts of a value. */
function originsIn(value: unknown): ReadonlySet<string> {
  if (typeof value === 'string') {
    const urls = [value, ...(value.match(/https?:[^\s"'<>]+/gi) ?? [])].filter((text) => URL.canParse(text));
    const isWeb = ({ protocol }: URL): boolean => protocol === 'http:' || protocol === 'https:';
    return new Set(
      urls
        .map((text) => new URL(text))
        .filter(isWeb)
        .map(({ origin }) => origin),
    );
  }
  if (typeof value !== 'object' || value === null) return new Set();
  return new Set(Object.values(value).flatMap((item) => [...originsIn(item)]));
}

/** @throws HoldfastError `VALIDATION` for a value so deep that the functions above could use up the stack */
function checkDepth(value: unknown, field: string, depth = 0): void {
  if (typeof value !== 'object' || value === null) return;
  if (depth > MAX_DEPTH) throw validationError(field, `is nested more than ${MAX_DEPTH} levels deep`);
  for (const item of Object.values(value)) checkDepth(item, field, depth + 1);
}
