import createFetchClient from 'openapi-fetch';
import { type AgentCalls, createAgentCalls } from './agent.js';
import { createId } from './create-id.js';
import { successOf } from './errors.js';
import { createFileCalls, type FileCalls } from './files.js';
import { KEYED_OPERATIONS } from './generated/keyed.js';
import { CallerRequest, createRetryingFetch, type Fetch, signalOf } from './retrying-fetch.js';
import { createRunHandle, type RunHandle, type RunName } from './run.js';
import type { AcceptedRun, Answer, ApiPaths, Operations, RecordsPaths, Schemas } from './types.js';

export interface ClientOptions {
  /** Where the API is, as in `http://127.0.0.1:3000`. */
  readonly baseUrl: string;
  /** A key or a token; absent: the service does not authenticate callers. */
  readonly apiKey?: string;
  /** The user of `agent.chat()` where a call names none. */
  readonly userId?: string;
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Default: that of the runtime. */
  readonly fetch?: Fetch;
  /**
   * False: no request is sent again, and none gets an `Idempotency-Key`. Runs are waited for and followed across connections that
   * fail all the same, and a chat has a key for that. Default true.
   */
  readonly retries?: boolean;
}

/** What a person says to a call that waits for an approval. */
export type ApprovalAnswer =
  ApiPaths['/api/approvals/{approvalId}']['post']['requestBody']['content']['application/json'];

export interface HoldfastClient extends Operations<ApiPaths> {
  /** A run that was started, by its trace id, or by the answer that names it. */
  run(run: RunName): RunHandle;
  /**
   * Waits for a call, and for its run if the service does not: a request whose run takes long, or waits for an approval, is
   * answered with a 202 or with the error `RUN_STILL_GOING`. @returns the `data` of the finished run
   * @throws HoldfastApiError for an error; HoldfastRunError if the run ends without a result
   */
  result<B extends { readonly data: unknown }>(call: Promise<Answer<B>>): Promise<Finished<B['data']>>;
  readonly approvals: {
    /** Answers an approval. @throws HoldfastApiError */
    answer(approvalId: string, answer: ApprovalAnswer): Promise<Schemas['Approval']>;
  };
  readonly agent: AgentCalls;
  readonly files: FileCalls;
}

/** The data of an operation without that of a run that is not over. */
export type Finished<T> = T extends AcceptedRun ? (AcceptedRun extends T ? never : T) : T;

/** Creates the client of an API. It sends nothing. */
export function createClient(options: ClientOptions): HoldfastClient {
  const operations = createOperations<ApiPaths>(options);
  const run = (name: RunName): RunHandle => createRunHandle(operations, name);
  return {
    ...operations,
    run,
    async result<B extends { readonly data: unknown }>(call: Promise<Answer<B>>) {
      const answer = await call;
      const open = openRunOf(answer);
      return (open === undefined ? successOf(answer).data : await run(open).result()) as Finished<B['data']>;
    },
    approvals: {
      answer: async (approvalId, body) =>
        successOf(
          await operations.POST('/api/approvals/{approvalId}', { params: { path: { approvalId } }, body }),
        ).data,
    },
    agent: createAgentCalls(operations, options.userId),
    files: createFileCalls(operations),
  };
}

/** The run that an answer names because it is not over. */
function openRunOf({ data, error, response }: Answer<{ readonly data: unknown }>): AcceptedRun | undefined {
  if (response.status === 202) return data?.data as AcceptedRun;
  return error?.code === 'RUN_STILL_GOING' ? (error.details as AcceptedRun | undefined) : undefined;
}

/** Creates the client of the API of records, which has a port of its own. */
export function createRecordsClient(options: Omit<ClientOptions, 'userId'>): Operations<RecordsPaths> {
  return createOperations<RecordsPaths>(options);
}

function createOperations<P extends object>({
  baseUrl,
  apiKey,
  headers,
  retries = true,
  fetch: send = (request, init) => globalThis.fetch(request, init),
}: ClientOptions): Operations<P> {
  const sendOnce: Fetch = (request) => send(request, { signal: signalOf(request) });
  const http = createFetchClient<ApiPaths>({
    baseUrl,
    Request: CallerRequest,
    fetch: retries ? createRetryingFetch(send) : sendOnce,
    headers: { ...headers, ...(apiKey === undefined ? {} : { Authorization: `Bearer ${apiKey}` }) },
  });
  if (retries) {
    http.use({
      onRequest({ request, schemaPath }) {
        const isKeyed = KEYED_OPERATIONS.has(`${request.method} ${schemaPath}`);
        if (isKeyed && !request.headers.has('Idempotency-Key'))
          request.headers.set('Idempotency-Key', createId());
        return request;
      },
    });
  }
  return http as unknown as Operations<P>;
}
