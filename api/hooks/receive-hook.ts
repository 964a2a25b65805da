import type Router from '@koa/router';
import type { RouterContext } from '@koa/router';
import { tooManyAttempts } from '../../src/access/authenticator';
import { createFailedAttempts } from '../../src/access/failed-attempts';
import { computeDigest } from '../../src/base/ids';
import { HoldfastError } from '../../src/base/errors';
import { isCredentialName } from '../../src/contracts/credential-names';
import { DEFAULT_TENANT } from '../../src/contracts/tenants';
import type { HookStore, StoredHook } from '../../src/hooks/hook-store';
import { SIGNATURE_HEADERS, verifyDelivery } from '../../src/hooks/verify';
import type { WorkflowCatalogue } from '../../src/workflow-definitions/catalogue';
import { inputNames } from '../../src/workflow-definitions/fill-inputs';
import { readInputs } from '../../src/tools/parameters';
import type { CustomRuns } from '../../requests/custom-runs';
import type { Starting } from '../../requests/starting';
import { untilStarted } from '../../requests/until-started';
import type { RunWebhook } from '../../requests/webhooks';
import { serverClock } from '../../temporal/server-clock';
import type { StartedRun } from '../../temporal/runs/started-run';
import { readWhole } from '../http/body-pace';
import { decodeBody, parseBody, tooLarge } from '../http/middleware/json-body';
import type { RequestState } from '../http/request-state';

/** The services of a tenant by which its hooks start runs. */
export interface ReceiverServices {
  readonly hooks: HookStore;
  readonly catalogue: Pick<WorkflowCatalogue, 'get'>;
  readonly runs: { readonly custom: Pick<CustomRuns, 'run'> };
}

export interface HookReceiver {
  /** The services of a tenant; undefined if there is no such tenant. */
  readonly servicesOf: (tenant: string) => Promise<ReceiverServices | undefined>;
  /** Where runs are reported to by the settings. */
  readonly webhookOf?: ((body: unknown) => RunWebhook | undefined) | undefined;
  /** The maximum size of a body, bytes. */
  readonly maxBytes: number;
  /** How long a body may take to arrive, milliseconds. */
  readonly limitMs: number;
}

export const HOOK_PATH = /^\/hooks\/[^/]+$/;
const NAME = /^(?:([a-z0-9-]{1,40})\.)?([a-z0-9][a-z0-9-]{0,57})$/;
/** By which the signature for an unknown hook is checked, so that it takes as long. */
const NO_SECRET = 'whsec_bm8gc2VjcmV0IGhhcyB0aGlzIHZhbHVl';
const JSON_TYPE = /^application\/([\w.+-]*\+)?json\b/i;

/** Mounts the addresses at which other services start workflows. They need no key, since their signatures are checked. */
export function mountHooks(router: Router<RequestState>, receiver: HookReceiver): void {
  const failures = createFailedAttempts();

  /** @throws HoldfastError `UNAUTHENTICATED`, the same for an unknown hook and a wrong signature; `TOO_MANY_ATTEMPTS` */
  async function verify(ctx: RouterContext<RequestState>, name: string, body: Buffer) {
    const [, tenant = DEFAULT_TENANT, id = ''] = NAME.exec(name) ?? [];
    const services = id === '' ? undefined : await receiver.servicesOf(tenant);
    const hook = await services?.hooks.find(id);
    const request = { headers: headersOf(ctx), body };
    const secret = hook === undefined ? NO_SECRET : (services?.hooks.secretOf(hook) ?? NO_SECRET);
    const delivery = verifyDelivery(hook?.verify ?? 'github', request, secret, serverClock.now());
    if (services !== undefined && hook !== undefined && delivery !== undefined)
      return { services, hook, tenant, delivery, request };
    const waitMs = failures.add(ctx.req.socket.remoteAddress ?? '', 'hook');
    if (waitMs > 0) throw tooManyAttempts(waitMs);
    throw new HoldfastError('UNAUTHENTICATED', 'There is no such hook, or the signature is not valid');
  }

  router.post('/hooks/:name', async (ctx) => {
    const body = await readBody(ctx, receiver);
    const { services, hook, tenant, delivery, request } = await verify(ctx, String(ctx.params['name']), body);
    const given = { body: contentOf(ctx, body), headers: shownHeaders(request.headers) };
    const run = await start(services, hook, given, {
      ...ctx.state.context,
      owner: { tenant },
      caller: { id: `hook/${hook.id}`, scopes: new Set(hook.scopes), tenant },
      // A repeat of the delivery joins the run that the first one has started.
      idempotencyKey: `hook-${computeDigest([hook.id, hook.createdAt, delivery])}`,
      webhook: receiver.webhookOf?.({}),
    });
    ctx.status = 202;
    ctx.body = {
      success: true,
      data: { traceId: run.runId, workflowId: run.workflowId },
      message: 'The workflow was started',
    };
  });
}

/** Starts the workflow of a hook and does not wait for its end. @throws HoldfastError as the start of the run does */
async function start(
  { catalogue, runs }: ReceiverServices,
  { workflowId }: StoredHook,
  given: Readonly<Record<string, unknown>>,
  context: Starting,
): Promise<StartedRun> {
  const workflow = await catalogue.get(workflowId);
  const names = inputNames(readInputs(workflow.inputs));
  const inputs = Object.fromEntries(
    Object.entries(given).filter(([name]) => names === undefined || names.has(name)),
  );
  // The delivery is what a repeat is known by: its headers and the order of its fields may differ.
  const request = { workflow: workflowId, inputs, asked: workflowId };
  return untilStarted(
    context,
    (starting) => runs.custom.run(request, starting),
    () => true,
  );
}

async function readBody(
  ctx: RouterContext<RequestState>,
  { maxBytes, limitMs }: HookReceiver,
): Promise<Buffer> {
  try {
    if (!['', 'identity'].includes(ctx.get('Content-Encoding')))
      throw new HoldfastError('UNSUPPORTED_MEDIA_TYPE', 'The body must be sent without Content-Encoding');
    return await readWhole(ctx.req, { maxBytes, jsonMs: limitMs, stallMs: limitMs }, () =>
      tooLarge(maxBytes),
    );
  } finally {
    // An unread body would block the next request on this connection.
    ctx.req.resume();
  }
}

/** The body as JSON if its type says so, else as text. */
function contentOf(ctx: RouterContext<RequestState>, body: Buffer): unknown {
  const type = ctx.get('Content-Type');
  const text = decodeBody(body, type);
  return JSON_TYPE.test(type) ? parseBody(text) : text;
}

function headersOf(ctx: RouterContext<RequestState>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(ctx.headers).flatMap(([name, value]) =>
      typeof value === 'string' ? [[name, value]] : [],
    ),
  );
}

/** The headers without credentials and signatures. */
function shownHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => !SIGNATURE_HEADERS.has(name) && !isCredentialName(name)),
  );
}
