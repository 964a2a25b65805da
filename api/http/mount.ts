import type Router from '@koa/router';
import type { RouterContext } from '@koa/router';
import type { ParameterizedContext } from 'koa';
import { isHoldfastError } from '../../src/base/errors';
import type { Approval } from '../../src/contracts/http/approvals';
import { isOpenStatus } from '../../temporal/runs/run-status';
import { pathOfRun } from '../../requests/path-of-run';
import type { RunWebhook } from '../../requests/webhooks';
import type { StartedRun } from '../../temporal/runs/started-run';
import type { RequestState } from './request-state';
import { readPaced } from './body-pace';
import { success, ACCEPTED_MESSAGE, PAUSED_MESSAGE, toAcceptedRun, toPausedRun } from './envelope';
import {
  readIdempotencyKey,
  isKnown,
  readEntityTags,
  mayRespondEarly,
  readPreference,
} from './request-headers';
import { EVENT_STREAM, readLastEventId } from './event-stream';
import { parseRequest, checkNamedUsers } from './parse-request';
import {
  type AnyEnvelopeRoute,
  type AnyRoute,
  type AnyStreamRoute,
  type HandlerContext,
  isStreamRoute,
  type NoContent,
  type StreamedAnswer,
} from './route';
import { hasStored, sendStored } from './send-stored';
import { sendStream } from './send-stream';
import { toWellFormed } from '../../src/base/text/well-formed';

const IGNORED_FIELDS = 'X-Ignored-Fields';
/** Clients limit the headers of a response, which are 16 KiB together at some. */
const MAX_HEADER_LENGTH = 2_000;
/** A client sends the same fields with each request, so a route logs them at most this often, milliseconds. */
const LINE_EVERY_MS = 60_000;
const lastLines = new Map<string, number>();

export interface MountOptions {
  /** How long a streamed body may pause, milliseconds. */
  readonly stallMs: number;
  /** Streams the events of a run after one of them, 0 for all. Absent if the routes start no runs. */
  readonly followRun?: FollowRun | undefined;
  /** Chooses where the run of a request is reported to. Absent if the routes start no runs. */
  readonly webhookOf?: ((body: unknown) => RunWebhook | undefined) | undefined;
  /** Returns what the handlers of a tenant's requests may use. */
  readonly servicesOf: ServicesOf;
}

/** Returns the services of a tenant, and of no other one. @throws HoldfastError as `admitTenant` does */
export type ServicesOf<S = unknown> = (tenant: string) => S | Promise<S>;

export type FollowRun = (
  run: StartedRun,
  options: { readonly after: number; readonly mayHaveEnded: boolean; readonly signal: AbortSignal },
) => Promise<StreamedAnswer | NoContent>;

/**
 * Mounts routes on a router. Each validates the parts of a request, calls the handler with the services of the caller's tenant,
 * and wraps its result in the envelope or sends its stream. No other place chooses services by tenant for a route.
 */
export function mountRoutes(
  router: Router<RequestState>,
  routes: readonly AnyRoute[],
  options: MountOptions,
): void {
  for (const route of routes) {
    router[route.method](route.path, async (ctx) => {
      const services = await options.servicesOf(ctx.state.context.caller.tenant);
      await (isStreamRoute(route)
        ? answerStreamRoute(ctx, route, services)
        : answerRoute(ctx, route, { ...options, services }));
    });
  }
}

type Context = RouterContext<RequestState>;

async function answerStreamRoute(ctx: Context, route: AnyStreamRoute, services: unknown): Promise<void> {
  const input = await readInput(ctx, route, services);
  const answer = await route.handler(input, {
    ...ctx.state.context,
    services,
    idempotencyKey: undefined,
    ifMatch: undefined,
    bodyStream: undefined,
    accepts: (...types) => ctx.accepts(...types),
    lastEventId: headerOf(ctx.headers['last-event-id']),
  });
  if ('data' in answer) await sendEnvelope(ctx, success(answer.data, answer.message));
  else await answerStream(ctx, answer, route.stallLimitMs);
}

async function answerStream(
  ctx: Context,
  answer: StreamedAnswer | NoContent,
  stallLimitMs?: number,
): Promise<void> {
  if ('chunks' in answer) await sendStream(ctx, answer, stallLimitMs);
  else ctx.status = answer.status;
}

/** Answers a request of a route with an envelope: its parts are read, the handler is called, and what comes of it is sent. */
async function answerRoute(ctx: Context, route: AnyEnvelopeRoute, options: RequestOptions): Promise<void> {
  const request = await readRequest(ctx, route, options);
  const outcome = await callHandler(ctx, route, request);
  if ('data' in outcome) return sendData(ctx, route, request, outcome.data);
  ctx.set('Location', pathOfRun(outcome.run));
  if (outcome.approvals !== undefined)
    return sendPending(ctx, toPausedRun(outcome.run, outcome.approvals), PAUSED_MESSAGE);
  if (request.events !== undefined) return sendEvents(ctx, request.events, outcome.run);
  sendPending(ctx, toAcceptedRun(outcome.run), ACCEPTED_MESSAGE);
}

type RequestOptions = MountOptions & { readonly services: unknown };

/** A request whose body and headers have been read. */
interface RouteRequest {
  readonly input: Awaited<ReturnType<typeof readInput>>;
  readonly context: HandlerContext<unknown>;
  readonly preference: ReturnType<typeof readPreference>;
  /** Present if the caller takes the events of its run instead of the result. */
  readonly events: { readonly follow: FollowRun; readonly lastEventId: number | undefined } | undefined;
}

async function readRequest(
  ctx: Context,
  route: AnyEnvelopeRoute,
  { stallMs, followRun, webhookOf, services }: RequestOptions,
): Promise<RouteRequest> {
  const input = await readInput(ctx, route, services);
  const idempotencyKey = readIdempotencyKey(
    route,
    headerOf(ctx.headers['idempotency-key']),
    ctx.state.context.keyPrefix,
  );
  const ifMatch =
    route.conditional === true ? readEntityTags('If-Match', ctx.headers['if-match']) : undefined;
  const bodyStream =
    route.streamedBody === undefined
      ? undefined
      : Object.assign(readPaced(ctx.req, stallMs), {
          type: ctx.get('Content-Type'),
          bytes: ctx.request.length,
        });
  const events =
    followRun !== undefined && prefersEvents(ctx, route)
      ? { follow: followRun, lastEventId: readLastEventId(headerOf(ctx.headers['last-event-id'])) }
      : undefined;
  const preference = events === undefined ? readPreference(route, headerOf(ctx.headers.prefer)) : undefined;
  const waitMs = events === undefined ? preference?.waitMs : 0;
  const webhook = route.startsRun === true ? webhookOf?.(input.body) : undefined;
  const context = { ...ctx.state.context, services, waitMs, idempotencyKey, webhook, ifMatch, bodyStream };
  return { input, context, preference, events };
}

/** What a handler came to: data, or a run that goes on without the request, perhaps because it waits for people. */
type Outcome =
  | { readonly data: unknown }
  | { readonly run: StartedRun; readonly approvals?: readonly Approval[] | undefined };

async function callHandler(
  ctx: Context,
  route: AnyEnvelopeRoute,
  { input, context, preference }: RouteRequest,
): Promise<Outcome> {
  try {
    return { data: await route.handler(input, context) };
  } catch (error) {
    const { run } = ctx.state;
    const approvals = context.redactor.value(pendingApprovals(error));
    if (run !== undefined && approvals !== undefined) return { run, approvals };
    if (context.waitMs === undefined || run === undefined || !isStillGoing(error)) throw error;
    return { run };
  } finally {
    // A request that is refused, or answered without a run, follows no preference.
    if (preference !== undefined && ctx.state.run !== undefined)
      ctx.set('Preference-Applied', preference.applied);
  }
}

async function sendData(
  ctx: Context,
  route: AnyEnvelopeRoute,
  { input, context }: RouteRequest,
  data: unknown,
): Promise<void> {
  const { status = 200, message } = route;
  const tools = await route.tools?.(input, context.services);
  ctx.status = route.isPending?.(data) === true ? 202 : status;
  if (route.location !== undefined) ctx.set('Location', route.location(data));
  if (route.etag !== undefined) {
    const tag = route.etag(data);
    ctx.set('ETag', tag);
    if (route.method === 'get' && isKnown(tag, ctx.headers['if-none-match'])) {
      ctx.status = 304;
      return;
    }
  }
  await sendEnvelope(ctx, success(data, typeof message === 'string' ? message : message(data), tools));
}

function sendPending(ctx: Context, data: unknown, message: string): void {
  ctx.status = 202;
  ctx.body = success(data, message);
}

/**
 * A caller can only have events of a run that an earlier request started. Those of a later run of the key are all sent, because the
 * last event that the caller has may be one of the first run.
 */
async function sendEvents(
  ctx: Context,
  { follow, lastEventId }: NonNullable<RouteRequest['events']>,
  run: StartedRun,
): Promise<void> {
  const after = run.repeated?.isFirst === true ? (lastEventId ?? 0) : 0;
  const mayHaveEnded = run.repeated !== undefined && !isOpenStatus(run.status ?? 'running');
  await answerStream(ctx, await follow(run, { after, mayHaveEnded, signal: ctx.state.context.signal() }));
}

async function sendEnvelope(ctx: Context, envelope: ReturnType<typeof success>): Promise<void> {
  if (hasStored(envelope.data)) await sendStored(ctx, envelope);
  else ctx.body = envelope;
}

/** Whether a caller asks for the events of the run that its request starts. A caller that takes anything does not. */
function prefersEvents(ctx: Context, route: AnyRoute): boolean {
  return mayRespondEarly(route) && ctx.accepts('application/json', EVENT_STREAM) === EVENT_STREAM;
}

/** Whether a request ends before its run. */
function isStillGoing(error: unknown): boolean {
  return isHoldfastError(error) && error.code === 'RUN_STILL_GOING';
}

/** The approvals that a run waits for, if that is why its request has no result. */
function pendingApprovals(error: unknown): readonly Approval[] | undefined {
  if (!isHoldfastError(error) || error.code !== 'RUN_PAUSED') return undefined;
  return (error.details as { readonly approvals: readonly Approval[] }).approvals;
}

/**
 * Reads the parts of a request that its caller may make.
 * @throws HoldfastError as `checkNamedUsers`, `parseRequest` and `checkOwner` of the route do
 */
async function readInput(ctx: Context, route: AnyRoute, services: unknown) {
  const { caller } = ctx.state.context;
  const { params, query } = ctx;
  const body: unknown = ctx.request.body ?? {};
  checkNamedUsers({ params, query, body }, caller);
  const { ignored, ...input } = parseRequest(route, { params, query, body });
  noteIgnoredFields(ctx, route.path, ignored);
  await route.checkReady?.();
  // Any types are right, because the parts were parsed by the schemas of this route.
  if (caller.userId !== undefined) await route.checkOwner?.(input as never, caller.userId, services);
  return input;
}

/** Joins the values of a repeated header. Node.js joins them already, but its types say so only for known headers. */
function headerOf(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join(', ') : value;
}

/** Names the ignored fields of a request in a header of the response and, once a minute for each route, in the log. */
function noteIgnoredFields(
  ctx: ParameterizedContext<RequestState>,
  route: string,
  fields: readonly string[],
): void {
  if (fields.length === 0) return;
  const names = formatFields(fields);
  ctx.set(IGNORED_FIELDS, names);
  const now = performance.now();
  if (now - (lastLines.get(route) ?? -Infinity) < LINE_EVERY_MS) return;
  lastLines.set(route, now);
  ctx.state.context.logger.warn({ route, fields: names }, 'fields of a request were ignored');
}

/** Writes names as a header may have them: of other characters than those of a path, as in a URL. Pure. */
export function formatFields(fields: readonly string[]): string {
  let text = '';
  for (const field of fields) {
    const next = toWellFormed(field).replaceAll(/[^\w.[\]-]+/g, encodeURIComponent);
    if (text.length + next.length > MAX_HEADER_LENGTH) return `${text}, ...`;
    text = text === '' ? next : `${text}, ${next}`;
  }
  return text;
}
