import type { z } from 'zod';
import type { HoldfastError } from '../../src/base/errors';
import type { Logger } from '../../src/base/logger';
import type { StartedRun } from '../../temporal/started-run';

export type Method = 'get' | 'post' | 'put' | 'delete';

/** What a handler may know of the request besides its validated input. */
export interface RequestContext {
  readonly requestId: string;
  readonly logger: Logger;
  /** The `Idempotency-Key` header, checked. */
  readonly idempotencyKey: string | undefined;
  /** The entity tags of the `If-Match` header, quotes and all, or `*`; of routes with `conditional` alone. */
  readonly ifMatch: readonly string[] | undefined;
  /**
   * The body as it comes in; of routes with `streamedBody` alone. Throws HoldfastError `BODY_TOO_SLOW` where the caller sends
   * nothing for too long.
   */
  readonly bodyStream: AsyncIterable<Uint8Array> | undefined;
  /** Aborts when nobody waits for the answer any more: the caller has gone, or the service is being stopped. */
  signal(): AbortSignal;
  /** Names the run that this request started: the answer's headers and log lines then carry it. */
  noteRun(run: StartedRun): void;
}

type Output<S> = S extends z.ZodType ? z.output<S> : undefined;

/** A request's parts, validated. */
export interface RouteInput<P, Q, B> {
  readonly params: Output<P>;
  readonly query: Output<Q>;
  readonly body: Output<B>;
}

/** What every endpoint declares, whatever its answers are made of. */
interface RouteBase<P, Q, B> {
  readonly method: Method;
  /** With `:name` parameters and without a version segment. */
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly request: { readonly params?: P; readonly query?: Q; readonly body?: B };
  /** The content type of a body that is not JSON and is read by the handler; the path has no parameters then. */
  readonly streamedBody?: string;
  /** Paths of routes that make what this one takes the id of, where its own path does not begin with theirs. */
  readonly linkedFrom?: readonly string[];
  /** Values to try it with. */
  readonly example?: RouteExample;
  /** How input that does not fit the schemas is told, where the area has a form of its own for it. */
  onInvalid?(error: HoldfastError, body: unknown): HoldfastError;
}

type Schema = z.ZodType | undefined;

/**
 * One endpoint, declared once: its schemas feed validation, the handler's types and the OpenAPI document. The
 * handler returns data and never sees the envelope.
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
  /** The backing components that a request uses, where the area's answers tell them. */
  tools?(input: RouteInput<P, Q, B>): readonly string[] | Promise<readonly string[]>;
  readonly response: R;
  /** True where the request starts a run, and so takes an `Idempotency-Key`. */
  readonly startsRun?: boolean;
  /** The entity tag of what is returned. A GET with it in `If-None-Match` is answered with 304. */
  etag?(data: z.input<R>): string;
  /** The property of a created thing's `data` that other routes take as its id; default `id`. */
  readonly idIn?: string;
  /** The path of what was created. */
  location?(data: z.input<R>): string;
  /** True where the change may be made to depend on `If-Match`. */
  readonly conditional?: boolean;
  handler(input: RouteInput<P, Q, B>, context: RequestContext): Promise<z.input<R>>;
}

export interface RouteExample {
  readonly params?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

/** A success that is sent while it is made. */
export interface StreamedAnswer {
  /** One of those that the route declares. */
  readonly mediaType: string;
  /** What a browser is to save it as. */
  readonly fileName?: string;
  /**
   * Asked for the next chunk when the caller has taken the ones before; `return` is called where the caller goes away. What is
   * thrown before the first chunk is answered as any error, what is thrown later breaks the connection.
   */
  readonly chunks: AsyncIterable<string | Uint8Array>;
}

/**
 * An endpoint whose answer may be too long to be held in memory. A success has no envelope; the data itself has to tell a
 * reader that it is whole.
 */
export interface StreamRoute<
  P extends Schema = Schema,
  Q extends Schema = Schema,
  B extends Schema = Schema,
> extends RouteBase<P, Q, B> {
  /** By media type what one item of the stream looks like, such as a line. */
  readonly streams: Readonly<Record<string, z.ZodType>>;
  /** A caller who takes nothing for this long is cut off, milliseconds; default two minutes. */
  readonly stallLimitMs?: number;
  handler(input: RouteInput<P, Q, B>, context: RequestContext): StreamedAnswer | Promise<StreamedAnswer>;
}

/* eslint-disable @typescript-eslint/no-explicit-any -- a handler's input is contravariant in its schemas */
/** Routes whose type parameters no longer matter. */
export type AnyEnvelopeRoute = Route<any, any, any, any>;
export type AnyStreamRoute = StreamRoute<any, any, any>;
/* eslint-enable @typescript-eslint/no-explicit-any */
export type AnyRoute = AnyEnvelopeRoute | AnyStreamRoute;

export function isStreamRoute(route: AnyRoute): route is AnyStreamRoute {
  return 'streams' in route;
}

/** The schemas of any route. */
export type RequestSchemas = Readonly<Partial<Record<'params' | 'query' | 'body', z.ZodType>>>;

/** Ties a handler's types to its schemas. */
export function defineRoute<
  R extends z.ZodType,
  P extends Schema = undefined,
  Q extends Schema = undefined,
  B extends Schema = undefined,
>(route: Route<P, Q, B, R>): AnyRoute {
  return route;
}

/** The same for a route that streams. */
export function defineStreamRoute<
  P extends Schema = undefined,
  Q extends Schema = undefined,
  B extends Schema = undefined,
>(route: StreamRoute<P, Q, B>): AnyRoute {
  return route;
}
