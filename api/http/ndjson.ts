export const NDJSON = 'application/x-ndjson';

/** Lines are sent together in chunks of about this many characters, because each chunk costs a system call. */
const CHUNK_LENGTH = 16_384;

/** Writes items as lines of JSON (https://github.com/ndjson/ndjson-spec), in chunks of whole lines. */
export async function* ndjson(items: AsyncIterable<object>): AsyncGenerator<string> {
  let chunk = '';
  for await (const item of items) {
    chunk += `${JSON.stringify(item)}\n`;
    if (chunk.length < CHUNK_LENGTH) continue;
    yield chunk;
    chunk = '';
  }
  if (chunk !== '') yield chunk;
}
