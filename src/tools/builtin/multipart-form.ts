import { createHash } from 'node:crypto';
import { validationError } from '../../base/errors';
import { isJsonObject } from '../../contracts/json';

const MAX_PARTS = 100;
const MAX_NAME = 256;
const FIELDS: ReadonlySet<string> = new Set(['name', 'content', 'encoding', 'filename', 'contentType']);
/** A media type with parameters (RFC 9110 §8.3.1), without line breaks, which could add headers. */
const CONTENT_TYPE = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?:[\t ]*;[\t\x20-\x7e]*)?$/;
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** A multipart body and its content type. */
export interface EncodedForm {
  readonly bytes: Buffer;
  readonly contentType: string;
}

/**
 * Writes a form of `multipart/form-data` (RFC 7578): a list of `{ name, content, encoding?, filename?, contentType? }`. The boundary
 * comes from the parts, so that each attempt sends the same bytes.
 * @throws HoldfastError `VALIDATION` for the first part that cannot be sent
 */
export function encodeForm(form: unknown, field: string): EncodedForm {
  if (!Array.isArray(form) || form.length === 0 || form.length > MAX_PARTS)
    throw validationError(field, `must be a list of 1 to ${MAX_PARTS} parts with name and content`);
  const parts = form.map((part: unknown, index) => encodePart(part, `${field}[${index}]`));
  const hash = createHash('sha256');
  for (const { head, content } of parts) hash.update(head).update(content);
  const boundary = `form-${hash.digest('hex').slice(0, 40)}`;
  const pieces = parts.flatMap(({ head, content }) => [
    Buffer.from(`--${boundary}\r\n${head}\r\n\r\n`),
    content,
    Buffer.from('\r\n'),
  ]);
  return {
    bytes: Buffer.concat([...pieces, Buffer.from(`--${boundary}--\r\n`)]),
    contentType: `multipart/form-data; boundary=${boundary}`,
  };
}

interface EncodedPart {
  readonly head: string;
  readonly content: Buffer;
}

function encodePart(part: unknown, field: string): EncodedPart {
  if (!isJsonObject(part)) throw validationError(field, 'must be an object with name and content');
  const unknown = Object.keys(part).find((key) => !FIELDS.has(key));
  if (unknown !== undefined)
    throw validationError(
      `${field}.${unknown.slice(0, 64)}`,
      `is not known; a part has ${[...FIELDS].join(', ')}`,
    );
  const { content, encoding = 'text', contentType } = part;
  const name = readName(part['name'], `${field}.name`);
  const filename =
    part['filename'] === undefined ? undefined : readName(part['filename'], `${field}.filename`);
  if (encoding !== 'text' && encoding !== 'base64')
    throw validationError(`${field}.encoding`, 'must be one of text, base64');
  if (contentType !== undefined && (typeof contentType !== 'string' || !CONTENT_TYPE.test(contentType)))
    throw validationError(`${field}.contentType`, 'must be a media type such as application/pdf');
  const isFile = filename !== undefined || encoding === 'base64';
  const type = contentType ?? (isFile ? defaultType(encoding) : undefined);
  const lines = [
    `Content-Disposition: form-data; name="${escapeName(name)}"` +
      (filename === undefined ? '' : `; filename="${escapeName(filename)}"`),
    ...(type === undefined ? [] : [`Content-Type: ${type}`]),
  ];
  return { head: lines.join('\r\n'), content: readContent(content, encoding, `${field}.content`) };
}

function defaultType(encoding: 'text' | 'base64'): string {
  return encoding === 'text' ? 'text/plain; charset=utf-8' : 'application/octet-stream';
}

function readName(value: unknown, field: string): string {
  if (typeof value === 'string' && value !== '' && value.length <= MAX_NAME) return value;
  throw validationError(field, `must be a text of 1 to ${MAX_NAME} characters`);
}

function readContent(content: unknown, encoding: 'text' | 'base64', field: string): Buffer {
  if (encoding === 'text') {
    if (['string', 'number', 'boolean'].includes(typeof content)) return Buffer.from(String(content));
    throw validationError(field, 'must be a text');
  }
  const text = typeof content === 'string' ? content.replaceAll(/\s/g, '') : undefined;
  if (text === undefined || !BASE64.test(text)) throw validationError(field, 'must be base64');
  return Buffer.from(text, 'base64');
}

/** Escapes a name as the WHATWG HTML standard does for multipart forms. */
function escapeName(name: string): string {
  return name.replaceAll('\r', '%0D').replaceAll('\n', '%0A').replaceAll('"', '%22');
}
