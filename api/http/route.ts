import type { z } from 'zod';
import type { Caller } from '../../src/access/caller';
import type { HoldfastError } from '../../src/base/errors';
import type { Logger } from '../../src/base/logger';
import type { RunOwner } from '../../src/contracts/runs/run-owner';
import type { Redactor } from '../../src/secrets/redactor';
import type { AdmitBytes } from '../../temporal/runs/admit-bytes';
import type { StartedRun } from '../../temporal/runs/started-run';
import type { AccessRule } from './access';

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** What a handler gets of a request besides its validated input. */
export interface RequestContext {
  readonly requestId: string;
  readonly logger: Logger;
  /** Strikes out the credentials of what the response shows of runs, approvals and errors. */
  readonly redactor: Redactor;
  /** Who sent the request. */
  readonly caller: Caller;
  /** The caller as the owner of runs: of those that the request starts, and of those that it may see. */
  readonly owner: RunOwner;
  /** Precedes the caller's idempotency keys; undefined if callers are not authenticated. */
  readonly keyPrefix: string | undefined;
  /** The protocol and host that the caller asked, as in `http://127.0.0.1:3000`. */
  readonly origin: string;
  /** How long the response may wait for its run, milliseconds, if the caller prefers to wait less than usual. */
  readonly waitMs?: number | undefined;
  /** The `Idempotency-Key` header, already validated. It differs from caller to caller if callers are authenticated. */
  readonly idempotencyKey: string | undefined;
  /** The entity tags of the `If-Match` header with their quotes, or `*`; only for routes with `conditional`. */
  readonly ifMatch: readonly string[] | undefined;
  /**
   * The body as it arrives; only for routes with `streamedBody`. Throws HoldfastError `BODY_TOO_SLOW` if the caller
   * sends no data for too long.
   */
  readonly bodyStream: AsyncIterable<Uint8Array> | undefined;
  /** Takes room for large values, which is given back when the response was sent or its caller has gone. */
  readonly admit: AdmitBytes;
  /** Aborts when the response is not needed any more, because the caller has gone or the service is stopping. */
  signal(): AbortSignal;
  /** Records the run that this request started, so that the response's headers and log lines name it. */
  noteRun(run: StartedRun): void;
}

type Output<S> = S extends z.ZodType ? z.output<S> : undefined;

/** The validated parts of a request. */
export interface RouteInput<P, Q, B> {
  readonly params: Output<P>;
  readonly query: Output<Q>;
  readonly body: Output<B>;
}

/** The declarations that all endpoints have, with an envelope or with a stream. */
interface RouteBase<P, Q, B> extends AccessRule {
  readonly method: Method;
  /** The path with `:name` parameters, without a version segment. */
  readonly path: string;
  /** Names the operation in generated clients, so it stays: a verb and what it is about, in camel case. */
  readonly operationId: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly request: { readonly params?: P; readonly query?: Q; readonly body?: B };
  /** The content type of a body that is not JSON and that the handler reads itself. */
  readonly streamedBody?: string;
  /** Paths of routes that create the thing whose id this route takes, if this path does not begin with theirs. */
  readonly linkedFrom?: readonly string[];
  /** Values with which the documentation tries the endpoint. */
  readonly example?: RouteExample;
  /**
   * Checks that what the path names by an id belongs to a user. It is called for callers of one user.
   * @throws HoldfastError as if it did not exist
   */
  checkOwner?(input: RouteInput<P, Q, B>, userId: string): Promise<void>;
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
> extends RouteBase<P, Q, B> {
  /** Status of a success; default 200. */
  readonly status?: 200 | 201;
  /** The envelope's `message`. */
  readonly message: string | ((data: z.input<R>) => string);
  /** Returns the backing components that a request uses; only in the areas of memory. */
  tools?(input: RouteInput<P, Q, B>): readonly string[] | Promise<readonly string[]>;
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
  handler(input: RouteInput<P, Q, B>, context: RequestContext): Promise<z.input<R>>;
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
export interface StreamContext extends RequestContext {
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
> extends RouteBase<P, Q, B> {
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
    context: StreamContext,
  ): StreamedAnswer | WholeAnswer | Promise<StreamedAnswer | WholeAnswer>;
}

/* eslint-disable @typescript-eslint/no-explicit-any -- a handler's input is contravariant in its schemas */
/** Routes with any type parameters. */
export type AnyEnvelopeRoute = Route<any, any, any, any>;
export type AnyStreamRoute = StreamRoute<any, any, any>;
/* eslint-enable @typescript-eslint/no-explicit-any */
export type AnyRoute = AnyEnvelopeRoute | AnyStreamRoute;

export function isStreamRoute(route: AnyRoute): route is AnyStreamRoute {
  return 'streams' in route;
}

/** The schemas of any route. */
export type RequestSchemas = Readonly<Partial<Record<'params' | 'query' | 'body', z.ZodType>>>;

/** Declares a route; the types of its handler follow from its schemas. */
export function defineRoute<
  R extends z.ZodType,
  P extends Schema = undefined,
  Q extends Schema = undefined,
  B extends Schema = undefined,
>(route: Route<P, Q, B, R>): AnyRoute {
  return route;
}

/** Declares a route that streams; the types of its handler follow from its schemas. */
export function defineStreamRoute<
  P extends Schema = undefined,
  Q extends Schema = undefined,
  B extends Schema = undefined,
>(route: StreamRoute<P, Q, B>): AnyRoute {
  return route;
}
