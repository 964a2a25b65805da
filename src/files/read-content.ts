import { nextLargePiece } from '../base/async/large-pieces';
import { findJsonFault } from './find-json-fault';
import { decodeText, knownCharset } from '../base/text/charsets';
import type { ImageFile, TextFile } from '../contracts/http/files';

const CHARSET = /;\s*charset\s*=\s*"?([^\s";]+)/i;
const LARGE_BYTES = 65_536;

/** How the content of each type of image begins, in hexadecimal digits; a dot is any digit. */
const IMAGES: ReadonlyMap<string, RegExp> = new Map([
  ['image/png', /^89504e470d0a1a0a/],
  ['image/jpeg', /^ffd8ff/],
  ['image/gif', /^47494638(?:37|39)61/],
  ['image/webp', /^52494646.{8}57454250/],
]);
const SIGNATURE_BYTES = 12;
export const IMAGE_TYPES: readonly string[] = [...IMAGES.keys()];

/** The types that are taken, as messages name them. */
const TAKEN_TYPES = ['text/*', 'application/json', '*+json', ...IMAGE_TYPES].join(', ');

/** The content of a file as a model is given it, or why it cannot be. */
export type Content =
  Pick<TextFile, 'type' | 'text'> | Pick<ImageFile, 'type' | 'data'> | { readonly problem: string };

/** The media type of a `Content-Type`, without its parameters; undefined if files of it are not taken. Pure. */
export function takenType(contentType: string): string | undefined {
  const type = (contentType.split(';')[0] ?? '').trim().toLowerCase();
  const isText = /^text\/[\w.+-]+$/.test(type);
  return isText || isJson(type) || IMAGES.has(type) ? type : undefined;
}

/** Reads a file by its type: a text is decoded, JSON has to be JSON, and an image has to begin as its type says. */
export async function readContent(contentType: string, bytes: Buffer): Promise<Content> {
  const content = await decodeContent(contentType, bytes);
  if (!('text' in content) || !isJson(content.type)) return content;
  const fault = await findJsonFault(content.text);
  return fault === undefined ? content : { problem: `is not JSON: ${fault}` };
}

/** Reads a file as `readContent` does, which has taken it before. */
export async function decodeContent(contentType: string, bytes: Buffer): Promise<Content> {
  const type = takenType(contentType);
  if (type === undefined) return { problem: `is of the type ${contentType}; taken are ${TAKEN_TYPES}` };
  if (bytes.length === 0) return { problem: 'is empty' };
  const signature = IMAGES.get(type);
  if (signature !== undefined) {
    if (signature.test(bytes.subarray(0, SIGNATURE_BYTES).toString('hex')))
      return { type, data: bytes.toString('base64') };
    return { problem: `does not begin as ${type} does` };
  }
  if (bytes.length > LARGE_BYTES) await nextLargePiece();
  const label = CHARSET.exec(contentType)?.[1] ?? 'utf-8';
  const charset = knownCharset(label);
  if (charset === undefined) return { problem: `names the charset ${label}, which is not known` };
  const text = decodeText(bytes, charset);
  if (text === undefined) return { problem: `is not text in ${charset}` };
  return { type, text };
}

function isJson(type: string): boolean {
  return type === 'application/json' || /^[\w.-]+\/[\w.-]+\+json$/.test(type);
}
