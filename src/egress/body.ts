import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, inflateRaw } from 'node:zlib';
import { toolError, type HoldfastError } from '../base/errors';
import { LARGE_PIECE_BYTES } from '../base/async/large-pieces';
import type { EgressRequest } from './egress';
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
 * @param admit as in `EgressRequest`; called once for a body that turns out to be large
 */
export async function readBody(
  stream: AsyncIterable<Buffer>,
  headers: HeaderMap,
  maxBytes: number,
  admit?: EgressRequest['admit'],
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of stream) {
    // The rest of a large body stays at its server until there is room for it.
    if (length < LARGE_PIECE_BYTES && length + chunk.length >= LARGE_PIECE_BYTES)
      await admit?.(mayHave(headers, maxBytes));
    length += chunk.length;
    if (length > maxBytes) throw tooLarge(maxBytes);
    chunks.push(chunk);
  }
  const bytes = Buffer.concat(chunks, length);
  // A response to HEAD names a content coding although it has no body.
  if (length === 0) return bytes;
  const encoding = headers.get('content-encoding') ?? '';
  // A short compressed body may be a long one.
  if (length < LARGE_PIECE_BYTES && encoding !== '') await admit?.(maxBytes);
  return decode(bytes, encoding, maxBytes);
}

/** The bytes that a body has at most. Only without a coding they are known beforehand. */
function mayHave(headers: HeaderMap, maxBytes: number): number {
  const announced = headers.has('content-encoding') ? 0 : Number(headers.get('content-length') ?? 0);
  return announced > 0 ? Math.min(announced, maxBytes) : maxBytes;
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
