import { Response } from 'undici';
import { quoteInexactNumbers } from '../base/json/parse';

const DATA = 'data:';

/**
 * Returns the response, which has to be JSON of limited size, as a client that parses by itself may read it: numbers that
 * `JSON.parse` would change are in quotes, and the body fails if it is nested deeper than `MAX_NESTING` levels, because the
 * client may recurse.
 * @param toError creates the error of a body that is nested too deeply
 */
export function fitJson(response: Response, toError: () => Error): Response {
  return wholeJson(response, (text) => quoteInexactNumbers(text), toError);
}

/** Returns a response of JSON or events of JSON with the numbers in quotes that `JSON.parse` would change. Others stay as they are. */
export function keepNumbers(response: Response): Response {
  const type = response.headers.get('content-type') ?? '';
  if (/^text\/event-stream\b/i.test(type)) return withBody(response, quoteEvents());
  return /\bjson\b/i.test(type) ? wholeJson(response, quoteText, (error) => error) : response;
}

/** Nesting is checked by the code that reads the message. */
function quoteText(text: string): string {
  return quoteInexactNumbers(text, Infinity);
}

function wholeJson(
  response: Response,
  quote: (text: string) => string,
  toError: (error: Error) => Error,
): Response {
  const chunks: Uint8Array[] = [];
  const whole = new TransformStream<Uint8Array, Uint8Array>({
    transform: (chunk) => void chunks.push(chunk),
    flush(controller) {
      const bytes = Buffer.concat(chunks);
      try {
        controller.enqueue(quoteBytes(bytes, quote));
      } catch (error) {
        controller.error(toError(error as Error));
      }
    },
  });
  return withBody(response, whole);
}

/** The characters that count are the same in Latin-1, which is decoded and encoded faster than UTF-8, and without a loss. */
function quoteBytes(bytes: Buffer, quote: (text: string) => string): Buffer {
  const text = bytes.toString('latin1');
  const quoted = quote(text);
  return quoted === text ? bytes : Buffer.from(quoted, 'latin1');
}

/** JSON has no line ends in its texts and numbers, so each line of an event is scanned alone, and passed on with its end. */
function quoteEvents(): TransformStream<Uint8Array, Uint8Array> {
  let started: Buffer[] = [];
  const quoteLines = (text: string): string =>
    text.replace(/^data:.*$/gm, (line) => DATA + quoteText(line.slice(DATA.length)));
  return new TransformStream({
    transform(chunk, controller) {
      const bytes = Buffer.from(chunk);
      const end = Math.max(bytes.lastIndexOf('\n'), bytes.lastIndexOf('\r')) + 1;
      if (end === 0) {
        started.push(bytes);
        return;
      }
      controller.enqueue(quoteBytes(Buffer.concat([...started, bytes.subarray(0, end)]), quoteLines));
      started = end === bytes.length ? [] : [bytes.subarray(end)];
    },
    flush(controller) {
      if (started.length > 0) controller.enqueue(quoteBytes(Buffer.concat(started), quoteLines));
    },
  });
}

function withBody(response: Response, transform: TransformStream<Uint8Array, Uint8Array>): Response {
  const { body, status, statusText, headers } = response;
  if (body === null) return response;
  return new Response(body.pipeThrough(transform), { status, statusText, headers });
}
