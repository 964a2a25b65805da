import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, inflateRaw } from 'node:zlib';
import { toolError, type HoldfastError } from '../base/errors';
import type { HeaderMap } from './headers';

type Decoder = (bytes: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>;

const inflateWrapped: Decoder = promisify(inflate);
const inflateBare: Decoder = promisify(inflateRaw);
const gunzipBytes: Decoder = promisify(gunzip);

const DECODERS: ReadonlyMap<string, Decoder> = new Map([
  ['gzip', gunzipBytes],
  ['x-gzip', gunzipBytes],
  ['br', promisify(brotliDecompress)],
  [
    'deflate',
    // RFC 9110 §8.4.1.2 requires the zlib format and notes that some servers send the bare one. In the zlib format the low half
    // of the first byte is 8.
    (bytes, options) =>
      ((bytes[0] ?? 0) & 0x0f) === 8 ? inflateWrapped(bytes, options) : inflateBare(bytes, options),
  ],
]);

/** What servers send for a body that is not compressed: besides `identity` some send names that are no coding at all. */
const UNCOMPRESSED: ReadonlySet<string> = new Set(['', 'identity', 'none', 'utf-8', 'utf8', 'aws-chunked']);

/** An honest response has no more layers of content coding than this. */
const MAX_CODINGS = 3;

/**
 * Reads and decompresses the body of a response. Neither the received bytes nor the decompressed ones may exceed `maxBytes`;
 * reading stops at the first byte above.
 */
export async function readBody(
  stream: AsyncIterable<Buffer>,
  headers: HeaderMap,
  maxBytes: number,
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of stream) {
    length += chunk.length;
    if (length > maxBytes) throw tooLarge(maxBytes);
    chunks.push(chunk);
  }
  const bytes = Buffer.concat(chunks, length);
  // A response to HEAD names a content coding although it has no body.
  return length === 0 ? bytes : decode(bytes, headers.get('content-encoding') ?? '', maxBytes);
}

/** Creates the error for a body above the limit, or for a declared length above it. */
export function tooLarge(maxBytes: number): HoldfastError {
  return toolError(`The response is larger than the ${maxBytes} bytes allowed`, { details: { maxBytes } });
}

async function decode(bytes: Buffer, encoding: string, maxBytes: number): Promise<Buffer> {
  const codings = encoding
    .split(',')
    .map((coding) => coding.trim().toLowerCase())
    .filter((coding) => !UNCOMPRESSED.has(coding));
  if (codings.length > MAX_CODINGS) throw toolError('The response is compressed too many times over');
  let decoded = bytes;
  for (const coding of codings.reverse()) {
    const decoder = DECODERS.get(coding);
    if (!decoder) throw toolError(`The response has the content encoding ${coding}, which is not supported`);
    try {
      decoded = await decoder(decoded, { maxOutputLength: maxBytes });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(maxBytes);
      throw toolError(`The response cannot be decompressed as ${coding}`, { cause: error });
    }
  }
  return decoded;
}
