import type { z } from 'zod';
import type { HoldfastError } from '../../src/base/errors';
import type { Starting } from '../../requests/starting';
import type { Redactor } from '../../src/secrets/redactor';
import type { AccessRule } from './access';

/** The content type of a body that may have any. */
export const ANY_TYPE = '*/*';

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** What is known of a request besides its validated input. */
export interface RequestContext extends Starting {
  /** Strikes out the credentials of what the response shows of runs, approvals and errors. */
  readonly redactor: Redactor;
  /** Precedes the caller's idempotency keys; undefined if callers are not authenticated. */
  readonly keyPrefix: string | undefined;
  /** The protocol and host that the caller asked, as in `http://127.0.0.1:3000`. */
  readonly origin: string;
  /** The entity tags of the `If-Match` header with their quotes, or `*`; only for routes with `conditional`. */
  readonly ifMatch: readonly string[] | undefined;
  /**
   * The body as it arrives; only for routes with `streamedBody`. Throws HoldfastError `BODY_TOO_SLOW` if the caller
   * sends no data for too long.
   */
  readonly bodyStream: StreamedBody | undefined;
}

/** A body as it arrives. */
export interface StreamedBody extends AsyncIterable<Uint8Array> {
  /** Its `Content-Type`. */
  readonly type: string;
  /** Its `Content-Length`; absent if the caller does not say it. */
  readonly bytes?: number | undefined;
}

/** What a handler gets of a request besides its validated input. */
export interface HandlerContext<S> extends RequestContext {
  /** Those of the caller's tenant. What all tenants share, such as runs, a handler asks for by `owner`. */
  readonly services: S;
}

type Output<S> = S extends z.ZodType ? z.output<S> : undefined;

/** The validated parts of a request. */
export interface RouteInput<P, Q, B> {
  readonly params: Output<P>;
  readonly query: Output<Q>;
  readonly body: Output<B>;
}

/** The declarations that all endpoints have, with an envelope or with a stream. */
interface RouteBase<P, Q, B, S> extends AccessRule {
  readonly method: Method;
  /** The path with `:name` parameters, without a version segment. */
  readonly path: string;
  /** Names the operation in generated clients, so it stays: a verb and what it is about, in camel case. */
  readonly operationId: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly request: { readonly params?: P; readonly query?: Q; readonly body?: B };
  /** The content type of a body that is not JSON and that the handler reads itself; `ANY_TYPE`: any, in any charset. */
  readonly streamedBody?: string;
  /** The types of such a body that are documented, the example's first. Default: `streamedBody`. */
  readonly bodyTypes?: readonly string[];
  /** Paths of routes that create the thing whose id this route takes, if this path does not begin with theirs. */
  readonly linkedFrom?: readonly string[];
  /** Values with which the documentation tries the endpoint. */
  readonly example?: RouteExample;
  /** Called before the owner check and the handler. @throws HoldfastError if the area cannot answer yet */
  checkReady?(): Promise<void>;
  /**
   * Checks that what the path names by an id belongs to a user. It is called for callers of one user.
   * @throws HoldfastError as if it did not exist
   */
  checkOwner?(input: RouteInput<P, Q, B>, userId: string, services: S): Promise<void>;
  /** Converts a validation error, if the area has its own form for it. */
  onInvalid?(error: HoldfastError, body: unknown): HoldfastError;
}

type Schema = z.ZodType | undefined;

/**
 * One endpoint. Its schemas are used for validation, for the handler's types and for the OpenAPI document. The handler
 * returns data and never sees the envelope.
 */
export interface Route<
  P extends Schema = Schema,
  Q extends Schema = Schema,
  B extends Schema = Schema,
  R extends z.ZodType = z.ZodType,
  S = unknown,
> extends RouteBase<P, Q, B, S> {
  /** Status of a success; default 200. */
  readonly status?: 200 | 201;
  /** The envelope's `message`. */
  readonly message: string | ((data: z.input<R>) => string);
  /** Returns the backing components that a request uses; only in the areas of memory. */
  tools?(input: RouteInput<P, Q, B>, services: S): readonly string[] | Promise<readonly string[]>;
  readonly response: R;
  /** True if the request starts a run and therefore takes an `Idempotency-Key`. */
  readonly startsRun?: boolean;
  /** Returns the entity tag of a response. A GET with the same tag in `If-None-Match` is answered with 304. */
  etag?(data: z.input<R>): string;
  /** The property of `data` that is the id of the created thing; default `id`. */
  readonly idIn?: string;
  /** Returns whether the success is not final yet. Its status is 202 then. */
  isPending?(data: z.input<R>): boolean;
  /** Returns the path of the created thing. */
  location?(data: z.input<R>): string;
  /** True if the route evaluates `If-Match`. */
  readonly conditional?: boolean;
  handler(input: RouteInput<P, Q, B>, context: HandlerContext<S>): Promise<z.input<R>>;
}

export interface RouteExample {
  readonly params?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  /** Further bodies, by what they show. */
  readonly further?: Readonly<Record<string, unknown>>;
  /**
   * Parameters of the path that the service makes, such as ids: the operation that answers with the value, and OpenAPI's runtime
   * expression for its place.
   */
  readonly from?: Readonly<Record<string, readonly [operationId: string, expression: string]>>;
}

/** A success that is sent while it is produced. */
export interface StreamedAnswer {
  /** Further headers. */
  readonly headers?: Readonly<Record<string, string>>;
  /** One of the media types that the route declares. */
  readonly mediaType: string;
  /** The name under which a browser saves it. */
  readonly fileName?: string;
  /**
   * The next chunk is requested when the caller has received the earlier ones; `return` is called when the caller goes
   * away. An error before the first chunk is answered like any error, and a later one breaks the connection.
   */
  readonly chunks: AsyncIterable<string | Uint8Array>;
}

/** A success without a body. */
export interface NoContent {
  readonly status: 204;
}

/** A success of a stream route that is not streamed. */
export type WholeAnswer = { readonly data: unknown; readonly message: string } | NoContent;

/** What the handler of a stream route gets of a request besides its validated input. */
export interface StreamContext<S = unknown> extends HandlerContext<S> {
  /** Returns which of the media types the caller prefers by its `Accept` header; false if it takes none of them. */
  accepts(...types: string[]): string | false;
  /** The `Last-Event-ID` header. */
  readonly lastEventId: string | undefined;
}

/**
 * An endpoint whose response may be too long to be held in memory. A success has no envelope, so the data itself must
 * show a reader that it is complete.
 */
export interface StreamRoute<
  P extends Schema = Schema,
  Q extends Schema = Schema,
  B extends Schema = Schema,
  S = unknown,
> extends RouteBase<P, Q, B, S> {
  /** The schema of one item of the stream, such as a line, by media type. */
  readonly streams: Readonly<Record<string, z.ZodType>>;
  /** The schema of `data` if the route may answer with the envelope. */
  readonly whole?: z.ZodType;
  /** What it means that the response has no content, if the route may answer so. */
  readonly emptyMeans?: string;
  /** A caller that receives nothing for this long is disconnected, milliseconds; default two minutes. */
  readonly stallLimitMs?: number;
  handler(
    input: RouteInput<P, Q, B>,
    context: StreamContext<S>,
  ): StreamedAnswer | WholeAnswer | Promise<StreamedAnswer | WholeAnswer>;
}

/* eslint-disable @typescript-eslint/no-explicit-any -- a handler's input is contravariant in its schemas */
/** Routes with any type parameters. */
export type AnyEnvelopeRoute<S = any> = Route<any, any, any, any, S>;
export type AnyStreamRoute<S = any> = StreamRoute<any, any, any, S>;
export type AnyRoute<S = any> = AnyEnvelopeRoute<S> | AnyStreamRoute<S>;
/* eslint-enable @typescript-eslint/no-explicit-any */

export function isStreamRoute(route: AnyRoute): route is AnyStreamRoute {
  return 'streams' in route;
}

/** The schemas of any route. */
export type RequestSchemas = Readonly<Partial<Record<'params' | 'query' | 'body', z.ZodType>>>;

/** Declares routes; the types of a handler follow from the schemas of its route. */
interface RouteDeclarations<S> {
  defineRoute<
    R extends z.ZodType,
    P extends Schema = undefined,
    Q extends Schema = undefined,
    B extends Schema = undefined,
  >(
    route: Route<P, Q, B, R, S>,
  ): AnyRoute<S>;
  /** Declares a route that streams. */
  defineStreamRoute<P extends Schema = undefined, Q extends Schema = undefined, B extends Schema = undefined>(
    route: StreamRoute<P, Q, B, S>,
  ): AnyRoute<S>;
}

/** Returns what declares routes whose handlers need services `S` of the caller's tenant. */
export function routesWith<S>(): RouteDeclarations<S> {
  return { defineRoute: (route) => route, defineStreamRoute: (route) => route };
}

/** For routes whose handlers need no services of a tenant. */
export const { defineRoute, defineStreamRoute } = routesWith<unknown>();
