import { basename, dirname } from 'node:path';
import type * as TransformersLibrary from '@xenova/transformers';
import type { PreTrainedModel, PreTrainedTokenizer, Tensor as TensorType } from '@xenova/transformers';
import { normalize } from '../vectors';
import { WEIGHT_FILES } from './model-source';

/**
 * The maximum number of tokens of one piece. Sentence models are trained on short texts, all-MiniLM-L6-v2 on at most 256 tokens
 * and all-mpnet-base-v2 on at most 128, although their position tables have room for more.
 */
const MAX_PIECE_TOKENS = 256;
/** Some position tables, such as MPNet's, begin at 2. */
const RESERVED_POSITIONS = 2;
/** The names of the output in which exported models return one vector for each token. */
const OUTPUTS = ['last_hidden_state', 'token_embeddings', 'logits'] as const;

/** A sentence-embedding model in memory. Its vectors are the mean over all tokens, with unit length. */
export class SentenceModel {
  readonly #before: readonly number[];
  readonly #after: readonly number[];
  readonly #pieceLimit: number;
  readonly #tensor: typeof TransformersLibrary.Tensor;
  readonly #tokenizer: PreTrainedTokenizer;
  readonly #model: PreTrainedModel;

  private constructor(
    tensor: typeof TransformersLibrary.Tensor,
    tokenizer: PreTrainedTokenizer,
    model: PreTrainedModel,
  ) {
    this.#tensor = tensor;
    this.#tokenizer = tokenizer;
    this.#model = model;
    const plain = this.#encode('a', false);
    const marked = this.#encode('a', true);
    const at = marked.findIndex((_, start) => plain.every((token, next) => marked[start + next] === token));
    this.#before = marked.slice(0, at);
    this.#after = marked.slice(at + plain.length);
    const maxTokens = Math.min(
      MAX_PIECE_TOKENS,
      numberOr(tokenizer, 'model_max_length', MAX_PIECE_TOKENS),
      numberOr(model.config, 'max_position_embeddings', Infinity) - RESERVED_POSITIONS,
    );
    this.#pieceLimit = Math.max(1, maxTokens - this.#before.length - this.#after.length);
  }

  /** Loads a model from the disk only. @param weights one of `WEIGHT_FILES` */
  static async load(folder: string, weights: string): Promise<SentenceModel> {
    // The library is an ES module, so it is imported dynamically.
    const { AutoModel, AutoTokenizer, Tensor, env } = await import('@xenova/transformers');
    env.allowRemoteModels = false;
    env.useFSCache = false;
    env.localModelPath = dirname(folder);
    const name = basename(folder);
    const tokenizer = await AutoTokenizer.from_pretrained(name);
    const model = await AutoModel.from_pretrained(name, { quantized: weights === WEIGHT_FILES[0] });
    return new SentenceModel(Tensor, tokenizer, model);
  }

  /**
   * Embeds one text, with one call of the model for each of its pieces, because a quantised model gives a text a different vector
   * in a batch. The library truncates at the tokenizer's limit, so a long text is split into pieces first; the weight of a piece
   * is the number of its tokens.
   */
  async embed(text: string): Promise<Float32Array> {
    let sum: Float32Array | undefined;
    for (const piece of splitIntoPieces(this.#encode(text, false), this.#pieceLimit)) {
      const rows = await this.#run([...this.#before, ...piece, ...this.#after]);
      sum = addRows(rows, sum);
    }
    if (sum === undefined) throw new Error('the model gave no vector');
    return normalize(sum);
  }

  #encode(text: string, marks: boolean): number[] {
    return this.#tokenizer.encode(text, null, { add_special_tokens: marks });
  }

  /** Returns the vectors of the tokens, with the dimensions [1, tokens, length]. */
  async #run(tokens: readonly number[]): Promise<TensorType> {
    const row = (valueOf: (token: number) => bigint): TensorType =>
      new this.#tensor('int64', BigInt64Array.from(tokens, valueOf), [1, tokens.length]);
    const outputs = (await this.#model({
      input_ids: row(BigInt),
      attention_mask: row(() => 1n),
      token_type_ids: row(() => 0n),
    })) as Readonly<Record<string, TensorType | undefined>>;
    const rows = OUTPUTS.map((name) => outputs[name]).find((output) => output !== undefined);
    if (rows?.dims.length !== 3) {
      throw new Error(`the model returns no vectors of tokens, but ${Object.keys(outputs).join(', ')}`);
    }
    return rows;
  }
}

/** Adds the rows of a tensor to a sum. After normalisation the sum has the direction of the mean. */
function addRows(rows: TensorType, sum?: Float32Array): Float32Array {
  const [, tokens = 0, length = 0] = rows.dims as readonly number[];
  const values = rows.data as Float32Array;
  const total = sum ?? new Float32Array(length);
  for (let token = 0; token < tokens; token += 1) {
    for (let at = 0; at < length; at += 1) {
      total[at] = (total[at] ?? 0) + (values[token * length + at] ?? 0);
    }
  }
  return total;
}

/** Reads a number from a configuration. Models omit such a field, or set it to 1e30, if they have no limit. */
function numberOr(owner: unknown, field: string, otherwise: number): number {
  const value: unknown = (owner as Readonly<Record<string, unknown>> | undefined)?.[field];
  return typeof value === 'number' && Number.isFinite(value) ? value : otherwise;
}

/**
 * Splits tokens into as few pieces of at most `limit` tokens as possible. All pieces have nearly the same length, because a short
 * last piece would give a poor vector. Without tokens the result is one empty piece, to which the model adds its special tokens.
 */
function splitIntoPieces(tokens: readonly number[], limit: number): number[][] {
  const count = Math.max(1, Math.ceil(tokens.length / limit));
  return Array.from({ length: count }, (_, at) =>
    tokens.slice(Math.floor((at * tokens.length) / count), Math.floor(((at + 1) * tokens.length) / count)),
  );
}
