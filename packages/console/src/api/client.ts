import { computed, signal } from '@preact/signals';
import { type ApiPaths, createClient, HoldfastApiError, type HoldfastClient } from '../../../client/src';
import { forgetKey, key } from '../session';

export type { Schemas } from '../../../client/src';

/** Where the Temporal UI shows the runs. The service says so with each run that it starts, so it is not known before. */
export const temporalUi = signal<string | undefined>(undefined);

/** The client with the key of this tab. The console has no other way to the service. */
export const client = computed<HoldfastClient>(() => {
  const apiKey = key.value;
  return createClient({
    baseUrl: location.origin,
    apiKey,
    async fetch(request, init) {
      const response = await fetch(request, init);
      // A key that was revoked leads back to the field for one.
      if (response.status === 401) forgetKey('The service does not accept this key.');
      temporalUi.value = response.headers.get('x-temporal-ui')?.split('/workflows/')[0] ?? temporalUi.value;
      return response;
    },
  });
});

/** What the client answers with. */
export interface Answer<B> {
  readonly data?: B | undefined;
  readonly error?: unknown;
  readonly response: Response;
}

/** Returns the body of an answer. @throws HoldfastApiError for an error */
export async function bodyOf<B>(call: Promise<Answer<B>>): Promise<B> {
  const { data, error, response } = await call;
  if (data === undefined) throw new HoldfastApiError(response.status, error);
  return data;
}

/** Returns the `data` of an answer, also of one whose run is not over. @throws HoldfastApiError for an error */
export async function dataOf<B extends { readonly data: unknown }>(
  call: Promise<Answer<B>>,
): Promise<B['data']> {
  return (await bodyOf(call)).data;
}

/** The paths that can be read. */
export type ReadPath = {
  [P in keyof ApiPaths]: ApiPaths[P] extends { get: object } ? P : never;
}[keyof ApiPaths];
type Read<P extends ReadPath> = ApiPaths[P] extends { get: infer O } ? O : never;
/** What the path and the query of a request have. */
export type ReadParams<P extends ReadPath> =
  Read<P> extends { parameters: infer X } ? Pick<X, keyof X & ('path' | 'query')> : never;
/** The `data` of an answer. */
export type ReadData<P extends ReadPath> =
  Read<P> extends { responses: { 200: { content: { 'application/json': { data: infer D } } } } } ? D : never;

/** Reads something of the service. @throws HoldfastApiError for an error */
export function read<P extends ReadPath>(
  path: P,
  params: ReadParams<P>,
  signal?: AbortSignal,
): Promise<ReadData<P>> {
  type Call = (path: P, init: object) => Promise<Answer<{ readonly data: ReadData<P> }>>;
  return dataOf((client.value.GET as unknown as Call)(path, { params, signal }));
}

/** Sends a request whose path and body are not known to the compiler together. @throws HoldfastApiError for an error */
export function send(
  method: 'POST' | 'PUT' | 'DELETE',
  path: keyof ApiPaths,
  params: Readonly<Record<string, string>>,
  body?: object,
): Promise<unknown> {
  type Call = (path: string, init: object) => Promise<Answer<{ readonly data: unknown }>>;
  return dataOf((client.value[method] as unknown as Call)(path, { params: { path: params }, body }));
}

/** An error as the console shows it. */
export interface ApiProblem {
  readonly code?: string | undefined;
  readonly message: string;
  readonly details?: unknown;
}

/** Whether the service has refused the caller, so that asking again would fail again. */
export const isRefused = (error: unknown): boolean =>
  error instanceof HoldfastApiError && (error.status === 401 || error.status === 403);

export function toProblem(error: unknown): ApiProblem {
  if (error instanceof HoldfastApiError)
    return { code: error.code, message: error.message, details: error.details };
  if (error instanceof TypeError) return { message: 'The service does not answer.' };
  return { message: error instanceof Error ? error.message : String(error) };
}
