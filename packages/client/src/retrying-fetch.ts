/** How often a request is sent at most. */
const MAX_ATTEMPTS = 4;
const FIRST_WAIT_MS = 500;
const MAX_WAIT_MS = 60_000;
/** The service, or what is before it, was busy or away. */
const PASSING: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/** Sends a request, whose own signal may do nothing any more; that of `init` does. */
export type Fetch = (
  request: Request,
  init?: { readonly signal?: AbortSignal | undefined },
) => Promise<Response>;

/**
 * A request that keeps the signal of its caller. Node.js connects the signals of a `Request` and of its copies weakly, so that an
 * abort after a garbage collection does not reach them.
 */
export class CallerRequest extends Request {
  readonly callerSignal: AbortSignal | undefined;

  constructor(...args: ConstructorParameters<typeof Request>) {
    super(...args);
    this.callerSignal = args[1]?.signal ?? undefined;
  }
}

export function signalOf(request: Request): AbortSignal | undefined {
  return request instanceof CallerRequest ? request.callerSignal : request.signal;
}

/**
 * Sends requests again that failed in passing: those that change nothing, and those with an `Idempotency-Key`, with which the
 * service joins the run of the first. Waits as `Retry-After` says, else 0.5 s, 1 s and 2 s, give or take a fifth. An answer that says
 * more than a minute is returned.
 * @returns the last answer @throws what `fetch` throws at last, or the reason of the request's signal
 */
export function createRetryingFetch(send: Fetch): Fetch {
  return async (request) => {
    const signal = signalOf(request);
    const isRepeatable = ['GET', 'HEAD'].includes(request.method) || request.headers.has('Idempotency-Key');
    for (let attempt = 1; ; attempt += 1) {
      const isLast = !isRepeatable || attempt === MAX_ATTEMPTS;
      let waitMs = FIRST_WAIT_MS * 2 ** (attempt - 1) * (0.8 + 0.4 * Math.random());
      try {
        // A request can be sent once, so a copy is sent.
        const response = await send(isLast ? request : request.clone(), { signal });
        if (isLast || !(await mayRepeat(response))) return response;
        waitMs = readRetryAfter(response.headers.get('Retry-After')) ?? waitMs;
        if (waitMs > MAX_WAIT_MS) return response;
        await response.body?.cancel();
      } catch (error) {
        if (isLast || signal?.aborted === true) throw error;
      }
      await delay(waitMs, signal);
    }
  };
}

/**
 * Whether a request may be sent again after its answer. The run of an answer with `X-Trace-Id` has been started, and a repeat could
 * start another. The service sends `Retry-After` with every other answer after which a repeat may help, and a proxy may not.
 */
async function mayRepeat(response: Response): Promise<boolean> {
  if (!PASSING.has(response.status) || response.headers.has('X-Trace-Id')) return false;
  return response.headers.has('Retry-After') || !(await isOfService(response));
}

async function isOfService(response: Response): Promise<boolean> {
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => undefined);
  return typeof body === 'object' && body !== null && 'code' in body;
}

/** Reads seconds or a date, as milliseconds from now; undefined for anything else. */
function readRetryAfter(header: string | null): number | undefined {
  if (header === null) return undefined;
  const ms = /^\d+$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - Date.now();
  return Number.isNaN(ms) ? undefined : Math.max(ms, 0);
}

/** Waits. @throws the reason of the signal once it aborts */
export function delay(ms: number, signal?: AbortSignal | null): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, ms);
    if (signal?.aborted === true) abort();
    else signal?.addEventListener('abort', abort, { once: true });
  });
}
