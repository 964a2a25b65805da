import { readJson } from './read-json';

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
export async function findModelServer(
  ports: readonly number[],
  limitMs = LOOK_LIMIT_MS,
): Promise<FoundServer | undefined> {
  const signal = AbortSignal.timeout(limitMs);
  const answers = ports.flatMap((port) =>
    LOOPBACK_ADDRESSES.map((hostname) => askServer(hostname, port, signal)),
  );
  return (await Promise.all(answers)).find((server) => server !== undefined);
}

async function askServer(
  hostname: string,
  port: number,
  signal: AbortSignal,
): Promise<FoundServer | undefined> {
  const host = hostname.includes(':') ? `[${hostname}]` : hostname;
  const baseUrl = `http://${host}:${port}/v1`;
  const answer = await readJson({ url: `${baseUrl}/models`, signal, maxBytes: MAX_ANSWER_BYTES }).catch(
    () => undefined,
  );
  const [first, ...others] = chatModels(answer);
  return first === undefined ? undefined : { baseUrl, models: [first, ...others] };
}

function chatModels(answer: unknown): readonly string[] {
  const { data } = (answer ?? {}) as { data?: unknown };
  if (!Array.isArray(data)) return [];
  return selectChatModels(data.map((model: unknown) => (model as { id?: unknown } | null)?.id));
}

/** Selects the ids of models that can chat, of those that a log and a call may repeat. Pure. */
export function selectChatModels(ids: readonly unknown[]): readonly string[] {
  return ids.filter((id): id is string => typeof id === 'string' && USABLE_ID.test(id) && !NO_CHAT.test(id));
}
