import Router from '@koa/router';
import Koa from 'koa';
import { BytesInFlight } from '../src/base/async/bytes-in-flight';
import type { Config } from '../src/settings/config';
import type { Logger } from '../src/base/logger';
import { NO_METRICS, type Metrics } from '../src/base/metrics';
import { createRedactor, type Redactor } from '../src/secrets/redactor';
import type { StartedRun } from '../temporal/runs/started-run';
import type { AccessRule } from './http/access';
import type { Authentication } from './http/caller-identity';
import { authentication as authenticated } from './http/middleware/authentication';
import { crossOriginAccess, type CrossOriginOptions } from './http/middleware/cross-origin';
import { handleErrors } from './http/middleware/errors';
import { hostCheck } from './http/middleware/host-check';
import { jsonBody } from './http/middleware/json-body';
import { methodCheck, canonicalPath, unmatched } from './http/middleware/method-check';
import type { RequestState } from './http/request-state';
import { requestContext } from './http/middleware/request-context';
import { runTokenAccess, type RunTokenAccess } from './http/middleware/run-token-access';
import { type BodyLimits, bodyLimitsFor } from './http/body-pace';
import { CONSOLE_PATH, mountConsole } from './http/console';
import { mountDocs, mountSchemas, type PublishedSchemas } from './http/docs';
import { type Links, mountHome } from './http/home';
import { mountProbes } from './http/probes';
import { mountResourceMetadata, type ProtectedResource, resourceMetadataUrl } from './http/resource-metadata';
import { type ErrorForm, errorFormOf } from './http/error-table';
import { type FollowRun, type MountOptions, mountRoutes, type ServicesOf } from './http/mount';
import type { OpenApiInfo } from './http/openapi';
import { mountPages, type PageRoute } from './http/page-route';
import type { AnyRoute } from './http/route';
import { HOOK_PATH, type HookReceiver, mountHooks } from './hooks/receive-hook';
import { mountOpenAi, type OpenAiEndpoint, openAiErrors } from './openai/mount';
import { MCP_METHODS, MCP_PATH, type McpEndpoint, mcpErrors, mountMcp } from '../packages/mcp';

export interface AppOptions<S = unknown> {
  readonly config: Pick<Config, 'loopback' | 'ALLOWED_HOSTS' | 'MAX_BODY_BYTES'>;
  readonly logger: Logger;
  /** Default: none are collected. */
  readonly metrics?: Metrics;
  readonly routes: readonly AnyRoute<S>[];
  /** Returns what the handlers of a tenant's requests may use. Absent: the routes need no services of a tenant. */
  readonly servicesOf?: ServicesOf<S>;
  /** Default: one for the built-in names of credentials. */
  readonly redactor?: Redactor;
  /** Absent: callers are not authenticated. */
  readonly authentication?: Authentication | undefined;
  /** What clients learn of the tokens that are accepted; absent: nothing. */
  readonly protectedResource?: ProtectedResource;
  /** Tokens to read one run; absent: no route takes them. */
  readonly runTokens?: Omit<RunTokenAccess, 'authenticated'> | undefined;
  /** Pages for people; absent: none. */
  readonly pages?: readonly PageRoute[];
  /** The Model Context Protocol; absent: the server does not have it. */
  readonly mcp?: McpEndpoint | undefined;
  /** OpenAI's API; absent: the server does not have it. */
  readonly openai?: OpenAiEndpoint | undefined;
  readonly info: OpenApiInfo;
  /** JSON Schemas that are open to all; absent: none. */
  readonly publishedSchemas?: PublishedSchemas;
  /** Whether the server has the console; default false. */
  readonly console?: boolean;
  /** Where `GET /` leads to besides what every server has; absent: nowhere. */
  readonly links?: () => Links;
  readonly isReady: () => boolean;
  readonly runLink?: (run: StartedRun) => string;
  /** Streams the events of a run; absent if the routes start no runs. */
  readonly followRun?: FollowRun;
  /** As in `MountOptions`. */
  readonly webhookOf?: MountOptions['webhookOf'];
  /** What receives the requests by which other services start workflows; absent: they are not received. */
  readonly hooks?: Pick<HookReceiver, 'servicesOf'>;
  /** Aborts when the process can wait for requests no longer; absent: never. */
  readonly stopping?: AbortSignal;
  /** The bytes of large values that the process works on; absent: no limit. */
  readonly inFlight?: BytesInFlight;
  /** Returns the form of the errors of a path; default: the form of its area. */
  readonly errorForm?: (path: string) => ErrorForm;
  /** The other origins whose pages may call; absent: none. */
  readonly crossOrigin?: CrossOriginOptions;
  /** How slowly a body may arrive; default: depends on the maximum size of a JSON body. */
  readonly bodyLimits?: BodyLimits;
}

/**
 * Errors of a connection whose caller went away during a response, or sent what is no HTTP any more: those of the system, of a
 * file that was being sent, and of the parser.
 */
const CUT_OFF = /^(ECONNRESET|EPIPE|ERR_STREAM_PREMATURE_CLOSE|HPE_.*)$/;

/**
 * Creates an HTTP application: the middleware that all servers share, with the given routes, probes and documentation.
 */
export function createApp<S>(options: AppOptions<S>): Koa<RequestState> {
  const { config, logger, routes, authentication, pages = [], info, isReady, runLink, crossOrigin } = options;
  const { stopping = new AbortController().signal, errorForm = errorFormOf, metrics = NO_METRICS } = options;
  const { bodyLimits = bodyLimitsFor(config.MAX_BODY_BYTES), inFlight = new BytesInFlight(Infinity) } =
    options;
  const { redactor = createRedactor() } = options;
  const app = new Koa<RequestState>();
  const router = new Router<RequestState>({ sensitive: true, strict: true });
  const { followRun, webhookOf, servicesOf = () => undefined, mcp, openai, links } = options;
  mountHome(router, {
    ...info,
    links: () => ({
      console: options.console === true ? CONSOLE_PATH : undefined,
      documentation: '/api-docs',
      openapi: '/api/openapi.json',
      ready: '/readyz',
      mcp: mcp && MCP_PATH,
      ...links?.(),
    }),
  });
  mountProbes(router, isReady);
  const { protectedResource } = options;
  if (protectedResource !== undefined) mountResourceMetadata(router, protectedResource);
  mountDocs(router, routes, { ...info, authenticated: authentication !== undefined });
  mountSchemas(router, options.publishedSchemas ?? {});
  if (options.console === true) mountConsole(router, { authenticated: authentication !== undefined });
  mountPages(router, pages, bodyLimits);
  const { hooks } = options;
  if (hooks !== undefined)
    mountHooks(router, { ...hooks, webhookOf, maxBytes: config.MAX_BODY_BYTES, limitMs: bodyLimits.jsonMs });
  // What says what is here, the probes, the documentation and the pages, whose addresses are signed, are open to all.
  const openPatterns = router.stack.map(({ path }) => path.toString());
  if (mcp !== undefined) mountMcp(router, mcp);
  if (openai !== undefined) mountOpenAi(router, openai);
  mountRoutes(router, routes, { stallMs: bodyLimits.stallMs, followRun, webhookOf, servicesOf });

  const patternOf = (path: string, method: string): string | undefined => {
    const match = router.match(path, method);
    return (match.pathAndMethod[0] ?? match.path[0])?.path.toString();
  };
  const ruleOf = ruleByRoute(router, [...routes, ...(openai?.operations ?? [])], openPatterns);

  app.use(requestContext({ logger, metrics, redactor, patternOf, runLink, stopping, inFlight }));
  const metadataUrlOf = (origin: string): string | undefined =>
    protectedResource && resourceMetadataUrl(protectedResource, origin);
  app.use(handleErrors(errorForm, metrics, metadataUrlOf));
  app.use(canonicalPath());
  if (mcp !== undefined) app.use(mcpErrors());
  if (openai !== undefined) app.use(openAiErrors());
  const areHostsNamed = config.loopback || config.ALLOWED_HOSTS.length > 0;
  const allowed = areHostsNamed ? config.ALLOWED_HOSTS : undefined;
  // The Model Context Protocol has the origin of every request checked.
  app.use(hostCheck({ allowed, origins: crossOrigin?.origins, strictPath: MCP_PATH }));
  if (crossOrigin !== undefined) app.use(crossOriginAccess(crossOrigin));
  if (options.runTokens !== undefined)
    app.use(runTokenAccess({ ...options.runTokens, authenticated: authentication !== undefined }, ruleOf));
  if (authentication !== undefined) app.use(authenticated(authentication, ruleOf));
  app.use(methodCheck(routes));
  const forms = new Set(pages.filter(({ method }) => method === 'post').map(({ path }) => path));
  const takesRaw = (path: string): boolean => hooks !== undefined && HOOK_PATH.test(path);
  const takesForms = (path: string): boolean => forms.has(patternOf(path, 'POST') ?? '');
  app.use(
    jsonBody({ maxBytes: config.MAX_BODY_BYTES, limitMs: bodyLimits.jsonMs, routes, takesForms, takesRaw }),
  );
  app.use(router.routes());
  app.use(unmatched(router));
  app.on('error', (error: NodeJS.ErrnoException) => {
    // The log line of the request says already that its caller went away.
    if (CUT_OFF.test(error.code ?? '')) logger.debug({ err: error }, 'a connection was cut');
    else logger.error({ err: error }, 'an answer could not be sent');
  });
  return app;
}

/**
 * Returns what a request needs of its caller, by the route that the router takes for it; undefined if it takes none.
 * @param openPatterns the patterns that are no routes and need nothing
 */
function ruleByRoute(
  router: Router<RequestState>,
  routes: readonly (AccessRule & Pick<AnyRoute, 'method' | 'path'>)[],
  openPatterns: readonly string[],
): (path: string, method: string) => AccessRule | undefined {
  const open: AccessRule = { access: 'open' };
  const byRoute = new Map<string, AccessRule>([
    ...['GET', 'POST', 'OPTIONS'].flatMap((method) =>
      openPatterns.map((pattern) => [`${method} ${pattern}`, open] as const),
    ),
    // The messages of a body may need more, which is checked where they are read.
    ...MCP_METHODS.map((method) => [`${method.toUpperCase()} ${MCP_PATH}`, { access: 'read' }] as const),
    ...routes.map((route) => [`${route.method.toUpperCase()} ${route.path}`, route] as const),
  ]);
  return (path, method) => {
    const [taken] = router.match(path, method).pathAndMethod;
    return taken && byRoute.get(`${method === 'HEAD' ? 'GET' : method} ${taken.path.toString()}`);
  };
}
