import { toolError } from '../../base/errors';
import { JsonNestingError, parseJson } from '../../base/json/parse';
import { LARGE_PIECE_BYTES } from '../../base/async/large-pieces';
import type { EgressResponse } from '../../egress/egress';

export interface ResponseData {
  /** A JSON value, a text, base64, or null for an empty body. */
  readonly data: unknown;
  /** Present where `data` is neither JSON nor text. */
  readonly encoding?: 'base64';
}

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
 * Reads a response's body by its content type: JSON is parsed, and stays text where it does not parse; text is decoded.
 * For any other or no type the bytes decide: where they are not UTF-8 text they become base64.
 * @throws HoldfastError `TOOL_EXECUTION_FAILED` for JSON that is nested too deeply
 */
export function readResponseData(response: EgressResponse): ResponseData {
  if (response.bytes.length === 0) return { data: null };
  const { contentType, mediaType } = typesOf(response);
  if (isJson(mediaType)) return { data: parseOrKeep(response.text()) };
  if (isText(mediaType) || /;\s*charset=/i.test(contentType)) return { data: response.text() };
  const text = decodeStrictly(response.bytes);
  return text === undefined
    ? { data: response.bytes.toString('base64'), encoding: 'base64' }
    : { data: text };
}

/** Whether a body is called JSON, and so large that parsing it would take long. */
export function isLargeJson(response: EgressResponse): boolean {
  return response.bytes.length >= LARGE_PIECE_BYTES && isJson(typesOf(response).mediaType);
}

/** The body in UTF-8, whatever its charset. */
export function utf8Of(response: EgressResponse): Uint8Array {
  const isOther = /;\s*charset=(?!"?utf-8)/i.test(typesOf(response).contentType);
  return isOther ? Buffer.from(response.text()) : response.bytes;
}

function typesOf({ headers }: EgressResponse): { readonly contentType: string; readonly mediaType: string } {
  const contentType = headers.get('content-type') ?? '';
  return { contentType, mediaType: (contentType.split(';')[0] ?? '').trim().toLowerCase() };
}

function isJson(mediaType: string): boolean {
  return mediaType === 'application/json' || mediaType === 'text/json' || mediaType.endsWith('+json');
}

function isText(mediaType: string): boolean {
  return mediaType.startsWith('text/') || mediaType.endsWith('+xml') || TEXT_TYPES.has(mediaType);
}

function parseOrKeep(text: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof JsonNestingError) throw toolError(`The response cannot be used: ${error.message}`);
    return text;
  }
}

/** The bytes as text; undefined where they are not UTF-8, or contain a NUL, which text does not. */
function decodeStrictly(bytes: Buffer): string | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
