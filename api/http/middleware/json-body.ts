import { bodyParser } from '@koa/bodyparser';
import type { Context, DefaultContext, Middleware } from 'koa';
import { nextLargePiece } from '../../../src/base/async/large-pieces';
import { HoldfastError, messageOf, validationError } from '../../../src/base/errors';
import { withinBodyTime } from '../body-pace';
import { FORM } from '../page-route';
import { ANY_TYPE, type AnyRoute } from '../route';
import type { RequestState } from '../request-state';
import { JsonTextError, parseCallersJson } from '../../../src/base/json/callers';
import { decodeText, knownCharset } from '../../../src/base/text/charsets';
import { formatPath } from '../schema-keys';

/** A body that parses may still be too deep for code that walks it recursively. */
const MAX_LEVELS = 100;
const CHARSET = /;\s*charset\s*=\s*"?([^\s";]*)/i;
const UTF_16 = /^utf-?16$/i;

/** Checks of a larger body take tens of milliseconds. */
const LARGE_BODY_BYTES = 65_536;

interface BodyError {
  readonly status?: number;
  readonly type?: string;
}

export interface JsonBodyOptions {
  readonly maxBytes: number;
  /** How long a body may take to arrive, milliseconds. */
  readonly limitMs: number;
  readonly routes: readonly AnyRoute[];
  /** Whether a path has a page that takes forms. */
  readonly takesForms: (path: string) => boolean;
  /** Whether the raw body of a POST is left to what answers the path, whatever its type is. */
  readonly takesRaw: (path: string) => boolean;
}

/**
 * Parses a JSON body. It rejects other content types, what `decodeBody` and `parseBody` reject, bodies over `maxBytes`, and
 * bodies that take longer than `limitMs`. For a route that streams its body, it checks the content type
 * and leaves the body unread. The forms of pages are left to the pages.
 */
export function jsonBody({
  maxBytes,
  limitMs,
  routes,
  takesForms,
  takesRaw,
}: JsonBodyOptions): Middleware<RequestState, DefaultContext> {
  const parse = bodyParser({
    enableTypes: ['text'],
    extendTypes: { text: ['application/json'] },
    // Each byte stays one character, because the charset is the caller's.
    encoding: 'binary',
    // A body that a DELETE or a GET takes no notice of may have been meant to limit it.
    parsedMethods: ['POST', 'PUT', 'PATCH', 'DELETE', 'GET'],
    textLimit: maxBytes,
    onError: (error, ctx) => {
      // The parser pauses a body that it rejects. Unread, it would block the next request on this connection. A compressed body
      // would wait for its decompression, which nothing reads any more.
      ctx.req.unpipe().resume();
      throw toBodyError(error, maxBytes, ctx.get('Content-Encoding'));
    },
  });
  const streamed = routes.flatMap(({ method, path, streamedBody: type }) =>
    type === undefined ? [] : [{ type, pattern: patternOf(`${method.toUpperCase()} ${path}`) }],
  );
  return async (ctx, next) => {
    if (ctx.method === 'POST' && takesRaw(ctx.path)) {
      await next();
      return;
    }
    const encoding = ctx.req.headers['content-encoding']?.toLowerCase();
    // The parser compares names of codings as they are, but they have no case, and x-gzip is gzip (RFC 9110, 8.4.1).
    if (encoding !== undefined)
      ctx.req.headers['content-encoding'] = encoding === 'x-gzip' ? 'gzip' : encoding;
    const route = streamed.find(({ pattern }) => pattern.test(`${ctx.method} ${ctx.path}`));
    if (route !== undefined) return leaveBody(ctx, route.type, next);
    if (ctx.method === 'POST' && ctx.is(FORM) && takesForms(ctx.path)) return leaveBody(ctx, FORM, next);
    if (hasBody(ctx) && !ctx.is('application/json')) {
      const got = ctx.get('Content-Type') || 'none';
      throw new HoldfastError(
        'UNSUPPORTED_MEDIA_TYPE',
        `The body must be application/json; Content-Type is ${got}`,
      );
    }
    // The length is checked first, so that a body that is too large is not read.
    if (Number(ctx.get('Content-Length')) > maxBytes) throw tooLarge(maxBytes);
    await withinBodyTime(
      parse(ctx, () => Promise.resolve()),
      limitMs,
      `it was not complete after ${limitMs} ms`,
    );
    const body: unknown = ctx.request.body;
    if (typeof body === 'string') {
      if (body.length > LARGE_BODY_BYTES) await nextLargePiece();
      ctx.request.body = parseBody(decodeBody(Buffer.from(body, 'latin1'), ctx.get('Content-Type')));
    }
    await next();
  };
}

async function leaveBody(ctx: Context, type: string, next: () => Promise<unknown>): Promise<void> {
  try {
    const encoding = ctx.get('Content-Encoding');
    if (!ctx.is(type) || !['', 'identity'].includes(encoding)) {
      throw new HoldfastError(
        'UNSUPPORTED_MEDIA_TYPE',
        `The body must be ${type === ANY_TYPE ? 'of a type' : type}, without Content-Encoding; Content-Type is ${ctx.get('Content-Type') || 'none'}`,
      );
    }
    const charset = charsetOf(ctx.get('Content-Type'));
    if (type !== ANY_TYPE && !/^utf-?8$/i.test(charset))
      throw new HoldfastError(
        'UNSUPPORTED_MEDIA_TYPE',
        `The body must be in UTF-8; Content-Type names ${charset}`,
      );
    await next();
  } finally {
    // An unread body would block the next request on this connection.
    ctx.req.resume();
  }
}

/** Matches the addresses of a route, whose parameters are whole segments. */
function patternOf(route: string): RegExp {
  return new RegExp(`^${route.replaceAll(/:\w+/g, '[^/]+')}$`);
}

function hasBody(ctx: { get(name: string): string }): boolean {
  return Number(ctx.get('Content-Length')) > 0 || ctx.get('Transfer-Encoding') !== '';
}

function toBodyError(error: unknown, maxBytes: number, encoding: string): HoldfastError {
  const { status, type } = error as BodyError;
  if (status === 413 || type === 'entity.too.large') return tooLarge(maxBytes);
  if (status === 415) {
    return new HoldfastError(
      'UNSUPPORTED_MEDIA_TYPE',
      `The body must be sent without Content-Encoding, or with gzip, deflate or br; it is ${encoding}`,
    );
  }
  return malformedBody(messageOf(error), error);
}

/** The error of a body above `MAX_BODY_BYTES`. */
export function tooLarge(maxBytes: number): HoldfastError {
  return new HoldfastError('BODY_TOO_LARGE', `The body is larger than ${maxBytes} bytes (MAX_BODY_BYTES)`);
}

/** The charset that a `Content-Type` names; `utf-8` if it names none. */
function charsetOf(contentType: string): string {
  return CHARSET.exec(contentType)?.[1] ?? 'utf-8';
}

/**
 * Decodes a body by the charset that its `Content-Type` names, UTF-8 if it names none. Of UTF-16 the byte order mark
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
function malformedBody(message: string, cause?: unknown): HoldfastError {
  return new HoldfastError('MALFORMED_JSON', `The body is not acceptable JSON: ${message}`, {
    details: { field: 'body', message },
    cause,
  });
}
