import { validationError } from '../../base/errors';
import { isJsonObject } from '../../contracts/json';
import { encodeForm } from './multipart-form';

const FORM_TYPE = 'application/x-www-form-urlencoded';
const SCALARS: ReadonlySet<string> = new Set(['string', 'number', 'boolean']);
const MAX_SHOWN_NAME = 64;

/**
 * Writes the body of a request, and adds the content type that fits, unless the caller has given one: `form` as multipart; a text
 * as it is; an object under `application/x-www-form-urlencoded` as pairs; any other value as JSON.
 * @param headers by lower-case name; changed
 * @returns undefined for a request without a body
 * @throws HoldfastError `VALIDATION` if the content type cannot carry the value
 */
export function encodeBody(
  body: unknown,
  form: unknown,
  headers: Map<string, string>,
): string | Buffer | undefined {
  const given = headers.get('content-type');
  if (form !== undefined && form !== null) {
    if (body !== undefined && body !== null)
      throw validationError('args.form', 'has no body beside it: send one of them');
    if (given !== undefined)
      throw validationError('args.headers.content-type', 'is set by the form; leave it out');
    const { bytes, contentType } = encodeForm(form, 'args.form');
    headers.set('content-type', contentType);
    return bytes;
  }
  if (body === undefined || body === null) return undefined;
  const isText = typeof body === 'string';
  if (given === undefined)
    headers.set('content-type', isText ? 'text/plain;charset=UTF-8' : 'application/json');
  if (isText) return body;
  const mediaType = (given ?? '').split(';')[0]?.trim().toLowerCase();
  if (mediaType === FORM_TYPE) return encodePairs(body);
  if (mediaType === 'multipart/form-data')
    throw validationError('args.body', 'cannot be multipart/form-data; send the parts as form');
  return JSON.stringify(body);
}

/**
 * Reads query parameters: texts, numbers and booleans, and lists of them. Null is left out.
 * @throws HoldfastError `VALIDATION`
 */
export function readParams(given: unknown, field: string): Readonly<Record<string, unknown>> {
  if (!isJsonObject(given)) throw validationError(field, 'must be an object');
  for (const [name, value] of Object.entries(given)) scalarsOf(value, `${field}.${shown(name)}`);
  return given;
}

function encodePairs(body: unknown): string {
  if (!isJsonObject(body))
    throw validationError('args.body', `must be an object or a text to be sent as ${FORM_TYPE}`);
  const pairs = new URLSearchParams();
  for (const [name, value] of Object.entries(body))
    for (const item of scalarsOf(value, `args.body.${shown(name)}`)) pairs.append(name, String(item));
  return pairs.toString();
}

/** @returns the values under one name; none for null */
function scalarsOf(value: unknown, field: string): readonly unknown[] {
  if (value === null || value === undefined) return [];
  const items = [value].flat().filter((item: unknown) => item !== null);
  if (items.every((item) => SCALARS.has(typeof item))) return items;
  throw validationError(
    field,
    'must be a text, a number, a boolean or a list of them; nested values have no form here',
  );
}

function shown(name: string): string {
  return name.slice(0, MAX_SHOWN_NAME);
}
