export const NDJSON = 'application/x-ndjson';

/** Lines that are sent together, characters: a line of its own each would be a system call each. */
const CHUNK_LENGTH = 16_384;

/** Items as lines of JSON (https://github.com/ndjson/ndjson-spec), in chunks of whole lines. */
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
