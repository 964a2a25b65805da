import OpenAI, { APIError } from 'openai';

/** OpenAI's own client, for the service at an address. It repeats no request. */
export function openAiClient(
  url: string,
  options: { readonly apiKey?: string; readonly headers?: Record<string, string> } = {},
): OpenAI {
  return new OpenAI({
    baseURL: `${url}/v1`,
    apiKey: options.apiKey ?? 'none',
    defaultHeaders: options.headers ?? {},
    maxRetries: 0,
  });
}

/** All events of a stream of Responses, in order. */
export async function collectResponse(
  stream: AsyncIterable<OpenAI.Responses.ResponseStreamEvent>,
): Promise<OpenAI.Responses.ResponseStreamEvent[]> {
  const events: OpenAI.Responses.ResponseStreamEvent[] = [];
  for await (const event of stream) events.push(event);
  return events;
}

/** The error of a call that has to fail, as the client reads it. */
export async function errorOf(
  call: PromiseLike<unknown>,
): Promise<Pick<APIError, 'status' | 'code' | 'param' | 'type' | 'message'>> {
  const error: unknown = await Promise.resolve(call).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof APIError)) throw new Error(`no error of the API: ${String(error)}`);
  const { status, code, param, type, message } = error;
  return { status, code, param, type, message };
}
