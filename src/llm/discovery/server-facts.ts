import { readJson, type JsonQuestion } from './read-json';

/** A model server as its operator has configured it. */
export interface ServerAddress {
  /** With the API version in it, as in `http://127.0.0.1:11434/v1`. */
  readonly baseUrl: string;
  readonly apiKey: string | undefined;
  /** Whether nothing but the list of models is asked for, as of a provider whose API is known. */
  readonly onlyLists?: boolean;
}

/** What a server tells of itself and of one of its models. */
export interface ServerFacts {
  /** The ids of its models in the order of its list; undefined if it does not answer `GET /v1/models`. */
  readonly models: readonly string[] | undefined;
  /** How many tokens of prompt and answer together the model reads as it is loaded; undefined if the server does not say. */
  readonly contextTokens: number | undefined;
  /** How many requests the server works on at once; undefined if it does not say. */
  readonly slots: number | undefined;
}

type Fields = Readonly<Record<string, unknown>>;

/** The size of the context is a field of the model's entry with vLLM and SGLang, OpenRouter, and Groq, in this order. */
const LISTED_SIZES = ['max_model_len', 'context_length', 'context_window'];
/** Ids of Ollama may leave out this tag. */
const DEFAULT_TAG = ':latest';

/**
 * Asks a server for its models, and in the ways of llama.cpp, Ollama and LM Studio for the size of the context. Each question that
 * it does not answer leaves its fact unknown.
 * @param signal ends all questions
 */
export async function readServerFacts(
  server: ServerAddress,
  model: string,
  signal: AbortSignal,
): Promise<ServerFacts> {
  const base = server.baseUrl.replace(/\/+$/, '');
  const root = base.replace(/\/v\d+$/, '');
  const read = (url: string, more: Partial<JsonQuestion> = {}): Promise<Fields> =>
    readJson({ url, apiKey: server.apiKey, signal, ...more }).then(fieldsOf, () => ({}));
  const further: typeof read = async (...args) => (server.onlyLists === true ? {} : read(...args));
  const [list, props, loaded, shown, lmStudio] = await Promise.all([
    read(`${base}/models`),
    further(`${root}/props`),
    further(`${root}/api/ps`),
    further(`${root}/api/show`, { body: { model } }),
    further(`${root}/api/v0/models`),
  ]);
  const listed = entriesOf(list['data']);
  const entry = findModel(listed, model) ?? (listed.length === 1 ? listed[0] : undefined);
  const settings = fieldsOf(props['default_generation_settings']);
  return {
    models: Array.isArray(list['data']) ? listed.map(({ id }) => String(id)) : undefined,
    contextTokens: firstSize(
      ...LISTED_SIZES.map((name) => entry?.[name]),
      settings['n_ctx'],
      // Ollama loads a model with less than it was trained for, and says with how much only while it is loaded.
      findModel(entriesOf(loaded['models']), model)?.['context_length'],
      readNumCtx(shown['parameters']),
      findModel(entriesOf(lmStudio['data']), model)?.['loaded_context_length'],
    ),
    slots: firstSize(props['total_slots']),
  };
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}

function entriesOf(list: unknown): readonly Fields[] {
  return Array.isArray(list) ? list.map(fieldsOf) : [];
}

function findModel(entries: readonly Fields[], model: string): Fields | undefined {
  const names = [model, `${model}${DEFAULT_TAG}`];
  return entries.find(({ id, name, model: of }) =>
    [id, name, of].some((each) => names.includes(String(each))),
  );
}

function firstSize(...sizes: readonly unknown[]): number | undefined {
  return sizes.find((size): size is number => Number.isSafeInteger(size) && Number(size) > 0);
}

/** Reads the size that an Ollama model file sets, from parameters such as `num_ctx 8192`, one a line. */
function readNumCtx(parameters: unknown): number | undefined {
  if (typeof parameters !== 'string') return undefined;
  const [, size] = /^num_ctx\s+(\d{1,9})$/m.exec(parameters.slice(0, 10_000)) ?? [];
  return size === undefined ? undefined : Number(size);
}
