import { isUtf8 } from 'node:buffer';
import { toolError } from '../../base/errors';
import { LARGE_PIECE_BYTES } from '../../base/async/large-pieces';
import { JsonNestingError, parseJson } from '../../base/json/parse';
import { decodeText, knownCharset } from '../../base/text/charsets';
import type { EgressResponse } from '../../egress/egress';
import type { ParseChoice } from './headers';

/** Where a page may name its charset, bytes (HTML standard, prescan of a byte stream). */
const PRESCAN_BYTES = 1_024;
const NAMED_BY_HEADER = /;\s*charset\s*=\s*"?'?([^"';\s]+)/i;
const NAMED_BY_META = /<meta\s[^>]{0,500}?charset\s*=\s*["']?\s*([\w.:-]+)/i;
const NAMED_BY_PROLOG = /^\s*<\?xml\s[^>]{0,500}?encoding\s*=\s*["']([\w.:-]+)/i;

export interface ResponseData {
  /** A JSON value, a text, base64, or null for an empty body. */
  readonly data: unknown;
  /** Present if `data` is neither JSON nor text. */
  readonly encoding?: 'base64';
}

type Body = Pick<EgressResponse, 'bytes' | 'headers'>;

const TEXT_TYPES: ReadonlySet<string> = new Set([
  'application/ecmascript',
  'application/javascript',
  'application/x-javascript',
  'application/x-ndjson',
  'application/x-www-form-urlencoded',
  'application/xml',
  'application/yaml',
]);

/**
 * Reads a response's body. Without a choice its content type decides: JSON is parsed, and stays text if it does not parse; text is
 * decoded. For any other or no type the bytes decide: if they are not UTF-8 text they become base64.
 * @throws HoldfastError `TOOL_EXECUTION_FAILED` for a text that is not of the charset it names, for JSON that is nested too deeply,
 *   and, if JSON is chosen, for a body that is no JSON
 */
export function readResponseData(response: Body, choice?: ParseChoice): ResponseData {
  const { bytes } = response;
  if (bytes.length === 0) return { data: null };
  if (choice === 'base64') return base64Of(bytes);
  const { contentType, mediaType } = typesOf(response);
  const isCalledJson = choice === undefined && isJson(mediaType);
  if (choice === 'json' || isCalledJson) return { data: parseBody(textOf(response), choice === 'json') };
  if (choice === 'text' || isText(mediaType)) return { data: textOf(response) };
  if (bytes.includes(0)) return base64Of(bytes);
  // Some servers add a charset to every type, also to that of bytes.
  const isCalledText = /;\s*charset=/i.test(contentType);
  const text = isCalledText || isUtf8(bytes) ? decodeText(bytes, charsetOf(bytes, contentType)) : undefined;
  return text === undefined ? base64Of(bytes) : { data: text };
}

/** Whether a body is read as JSON, and so large that parsing it would take long. */
export function isLargeJson(response: Body, choice?: ParseChoice): boolean {
  const isRead = choice === 'json' || (choice === undefined && isJson(typesOf(response).mediaType));
  return isRead && response.bytes.length >= LARGE_PIECE_BYTES;
}

/** The body in UTF-8, whatever its charset. @throws as `readResponseData` does */
export function utf8Of(response: Body): Uint8Array {
  const charset = charsetOf(response.bytes, typesOf(response).contentType);
  return charset === 'utf-8' && isUtf8(response.bytes) ? response.bytes : Buffer.from(textOf(response));
}

/** The body as text. @throws HoldfastError `TOOL_EXECUTION_FAILED` if it is not of the charset it names */
export function textOf(response: Body): string {
  const charset = charsetOf(response.bytes, typesOf(response).contentType);
  const text = decodeText(response.bytes, charset);
  if (text !== undefined) return text;
  throw toolError(`The response cannot be decoded as ${charset}; ask for its bytes by "parse": "base64"`);
}

/** The error for a body that should have been JSON. */
export function notJson(): Error {
  return toolError('The response is not JSON; ask for its text by "parse": "text"');
}

function base64Of(bytes: Buffer): ResponseData {
  return { data: bytes.toString('base64'), encoding: 'base64' };
}

function typesOf({ headers }: Body): { readonly contentType: string; readonly mediaType: string } {
  const contentType = headers.get('content-type') ?? '';
  return { contentType, mediaType: (contentType.split(';')[0] ?? '').trim().toLowerCase() };
}

function isJson(mediaType: string): boolean {
  return mediaType === 'application/json' || mediaType === 'text/json' || mediaType.endsWith('+json');
}

function isText(mediaType: string): boolean {
  return mediaType.startsWith('text/') || mediaType.endsWith('+xml') || TEXT_TYPES.has(mediaType);
}

/** The one place where a response is parsed in this thread. */
function parseBody(text: string, isRequired: boolean): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof JsonNestingError) throw toolError(`The response cannot be used: ${error.message}`);
    if (isRequired) throw notJson();
    return text;
  }
}

/**
 * Finds the charset of a text: that of its header, of its byte order mark, of the `meta` element of HTML or the prolog of XML; if
 * none is named, UTF-8 if the bytes are, else windows-1252. A name that is not known is passed over. Pure.
 */
function charsetOf(bytes: Buffer, contentType: string): string {
  const named = known(NAMED_BY_HEADER.exec(contentType)?.[1]) ?? markOf(bytes) ?? known(namedInside(bytes));
  return named ?? (isUtf8(bytes) ? 'utf-8' : 'windows-1252');
}

function namedInside(bytes: Buffer): string | undefined {
  const start = bytes.subarray(0, PRESCAN_BYTES).toString('latin1');
  if (!start.trimStart().startsWith('<')) return undefined;
  const name = NAMED_BY_PROLOG.exec(start)?.[1] ?? NAMED_BY_META.exec(start)?.[1];
  // A page whose name was read as ASCII cannot be in UTF-16, so the standard takes UTF-8.
  return /^utf-?16/i.test(name ?? '') ? 'utf-8' : name;
}

function markOf(bytes: Buffer): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  return bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : undefined;
}

function known(label: string | undefined): string | undefined {
  return label === undefined ? undefined : knownCharset(label);
}
