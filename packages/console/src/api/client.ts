import { computed } from '@preact/signals';
import { createClient, HoldfastApiError, type HoldfastClient } from '../../../client/src';
import { forgetKey, key } from '../session';

export type { Schemas } from '../../../client/src';

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

/** An error as the console shows it. */
export interface ApiProblem {
  readonly code: string | undefined;
  readonly message: string;
  readonly details: unknown;
}

/** Whether the service has refused the caller, so that asking again would fail again. */
export const isRefused = (error: unknown): boolean =>
  error instanceof HoldfastApiError && (error.status === 401 || error.status === 403);

export function toProblem(error: unknown): ApiProblem {
  if (error instanceof HoldfastApiError)
    return { code: error.code, message: error.message, details: error.details };
  const code = undefined;
  if (error instanceof TypeError)
    return { code, message: 'The service does not answer.', details: undefined };
  return { code, message: error instanceof Error ? error.message : String(error), details: undefined };
}
