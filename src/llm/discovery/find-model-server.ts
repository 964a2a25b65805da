import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { tryToParseJson } from '../../base/json/parse';
import { readBody } from '../../egress/body';

/** A server with OpenAI's chat API on this machine. */
export interface FoundServer {
  /** As LOCAL_LLM_BASE_URL has it: `http://127.0.0.1:11434/v1`. */
  readonly baseUrl: string;
  /** The ids of its models that can chat, at least one, in the order of its list. */
  readonly models: readonly [string, ...string[]];
}

/** The usual ports: of Ollama, of LM Studio, and of llama.cpp and vLLM. Earlier ones are preferred. */
export const MODEL_SERVER_PORTS: readonly number[] = [11_434, 1_234, 8_080, 8_000];

/** How long all servers together have to answer, ms. */
const LOOK_LIMIT_MS = 300;

const LOOPBACK_ADDRESSES = ['127.0.0.1', '::1'];
/** A body that is compressed against the request is not decompressed, and so is no list. */
const NO_HEADERS: ReadonlyMap<string, string> = new Map();
const MAX_ANSWER_BYTES = 65_536;
/** What the service repeats in its log and in calls: no control characters, and no quotes, which a shell would read. */
const USABLE_ID = /^[\w ./:@+\\()=,#~-]{1,200}$/;
/** Ids of models that make embeddings or rank texts, which servers list beside those that chat. */
const NO_CHAT = /embed|rerank|minilm|(?:^|[^a-z])(?:bge|gte|e5|paraphrase)(?:[^a-z]|$)/i;

/**
 * Asks the ports of this machine for the models there, all at once, for 300 ms at most and on loopback alone. An answer that is not
 * a list of models, is longer than 64 KB or leads elsewhere counts as no answer.
 * @returns the first of them, by the order of the ports, that has a model that can chat
 */
export async function findModelServer(ports: readonly number[]): Promise<FoundServer | undefined> {
  const signal = AbortSignal.timeout(LOOK_LIMIT_MS);
  const asked = ports.flatMap((port) =>
    LOOPBACK_ADDRESSES.map((hostname) => askServer(hostname, port, signal)),
  );
  return (await Promise.all(asked)).find((server) => server !== undefined);
}

async function askServer(
  hostname: string,
  port: number,
  signal: AbortSignal,
): Promise<FoundServer | undefined> {
  const answer = await readAnswer(hostname, port, signal).catch(() => undefined);
  const [first, ...others] = chatModels(answer === undefined ? undefined : tryToParseJson(answer));
  if (first === undefined) return undefined;
  const host = hostname.includes(':') ? `[${hostname}]` : hostname;
  return { baseUrl: `http://${host}:${port}/v1`, models: [first, ...others] };
}

/** @throws Error where the server does not answer with 200 in time, or with too much */
async function readAnswer(hostname: string, port: number, signal: AbortSignal): Promise<string> {
  // The client of this module follows no redirect, and without an agent it uses no proxy and keeps no connection.
  const request = get({ hostname, port, path: '/v1/models', agent: false, signal });
  // An error that comes once the answer has begun ends the reading of the body too.
  request.on('error', () => undefined);
  try {
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    if (response.statusCode !== 200) throw new Error(`status ${response.statusCode}`);
    return (await readBody(response, NO_HEADERS, MAX_ANSWER_BYTES)).toString();
  } finally {
    request.destroy();
  }
}

function chatModels(answer: unknown): readonly string[] {
  const { data } = (answer ?? {}) as { data?: unknown };
  if (!Array.isArray(data)) return [];
  return data
    .map((model: unknown) => (model as { id?: unknown } | null)?.id)
    .filter((id): id is string => typeof id === 'string' && USABLE_ID.test(id) && !NO_CHAT.test(id));
}
