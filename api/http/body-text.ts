import { JsonTextError, parseCallersJson } from '../../src/base/json/callers';
import { decodeText, knownCharset } from '../../src/base/text/charsets';
import { HoldfastError, messageOf, validationError } from '../../src/base/errors';
import { formatPath } from './schema-keys';

/** A body that parses may still be too deep for code that walks it recursively. */
const MAX_LEVELS = 100;
const CHARSET = /;\s*charset\s*=\s*"?([^\s";]*)/i;
const UTF_16 = /^utf-?16$/i;

/** The charset that a `Content-Type` names; `utf-8` where it names none. */
export function charsetOf(contentType: string): string {
  return CHARSET.exec(contentType)?.[1] ?? 'utf-8';
}

/**
 * Decodes a body by the charset that its `Content-Type` names, UTF-8 where it names none. Of UTF-16 the byte order mark
 * decides the order.
 * @throws HoldfastError `UNSUPPORTED_MEDIA_TYPE` for a charset that is not known, `MALFORMED_JSON` for bytes that are not of it
 */
export function decodeBody(bytes: Uint8Array, contentType: string): string {
  const named = charsetOf(contentType);
  const isBigEndian = UTF_16.test(named) && bytes[0] === 0xfe && bytes[1] === 0xff;
  const charset = knownCharset(isBigEndian ? 'utf-16be' : named);
  if (charset === undefined)
    throw new HoldfastError(
      'UNSUPPORTED_MEDIA_TYPE',
      `The body must be in UTF-8, or in another charset of the WHATWG Encoding Standard; Content-Type names ${named}`,
    );
  const text = decodeText(bytes, charset);
  if (text === undefined)
    throw malformedBody(`it is not text in ${named}; another charset has to be named in Content-Type`);
  return text;
}

/**
 * Parses a body, which is an object or a list; an empty one is an object without fields.
 * @throws HoldfastError `VALIDATION` naming the field of a text that is not accepted, `MALFORMED_JSON` for any other problem
 */
export function parseBody(text: string): unknown {
  if (text === '') return {};
  if (!/^[ \t\r\n]*[{[]/.test(text)) throw malformedBody('it must be an object or a list');
  try {
    return parseCallersJson(text, MAX_LEVELS);
  } catch (error) {
    if (error instanceof JsonTextError)
      throw validationError(formatPath(error.path) || 'body', error.message);
    throw malformedBody(messageOf(error), error);
  }
}

/** Creates the error of a body that is not accepted. */
export function malformedBody(message: string, cause?: unknown): HoldfastError {
  return new HoldfastError('MALFORMED_JSON', `The body is not acceptable JSON: ${message}`, {
    details: { field: 'body', message },
    cause,
  });
}
