import { z } from 'zod';
import { HoldfastError } from '../../src/base/errors';
import { countTokens } from '../../src/llm/token-count';
import { readEmbedderView } from '../../src/memory/vectors/embedder-view';
import { nextLargePiece } from '../../src/base/async/large-pieces';
import { parseInput } from '../http/input';
import { namedIn, requestOf } from './parameters';
import { unsupported } from './errors';
import type { OpenAiOperation, OpenAiPorts } from './ports';

/** Maximum number of texts of one request, as OpenAI has it. */
const MAX_TEXTS = 2_048;

const text = z.string().min(1, 'must not be empty');
const schema = z.object({
  model: z.string(),
  input: z.union([text, z.array(text).min(1, 'must not be empty').max(MAX_TEXTS)]),
  encoding_format: z.enum(['float', 'base64']).nullish(),
});
const KNOWN = new Set([...Object.keys(schema.shape), 'dimensions']);

/** Embeds texts by the model by which memories are found. */
export function embeddingOperation({ memory }: Pick<OpenAiPorts, 'memory'>): OpenAiOperation {
  return {
    method: 'post',
    path: '/v1/embeddings',
    access: 'run',
    async handler({ body }, context) {
      const given = requestOf(body);
      refuse(given);
      const {
        model,
        input,
        encoding_format: format,
      } = parseInput(schema, given, 'body') as z.output<typeof schema>;
      const texts = typeof input === 'string' ? [input] : input;
      const embedder = await embedderInUse(memory);
      const { identity } = embedder;
      if (model !== identity.model)
        throw new HoldfastError(
          'AGENT_NOT_FOUND',
          `The embedding model "${model}" does not exist; the service embeds by "${identity.model}"`,
        );
      context.ignore(namedIn(given, KNOWN));
      const vectors = await embedder.embed(texts, context.signal());
      let tokens = 0;
      for (const each of texts) {
        if (each.length > 65_536) await nextLargePiece();
        tokens += countTokens(each);
      }
      return {
        body: {
          object: 'list',
          data: vectors.map((vector, index) => ({
            object: 'embedding',
            index,
            embedding: format === 'base64' ? toBase64(vector) : [...vector],
          })),
          model: identity.model,
          usage: { prompt_tokens: tokens, total_tokens: tokens },
        },
      };
    },
  };
}

function refuse({ input, dimensions }: Readonly<Record<string, unknown>>): void {
  if (Array.isArray(input) && input.some((each) => typeof each === 'number' || Array.isArray(each)))
    throw unsupported('input', 'Lists of tokens are not taken; send the texts');
  if (dimensions !== undefined && dimensions !== null)
    throw unsupported(
      'dimensions',
      'The length of the vectors is that of the model, so leave dimensions out',
    );
}

async function embedderInUse(memory: OpenAiPorts['memory']) {
  const stores = await memory.openStores();
  const inUse = (await readEmbedderView(stores))?.inUse;
  const embedder = inUse && stores.embedders.find(inUse);
  if (embedder !== undefined) return embedder;
  throw new HoldfastError('EMBEDDER_UNAVAILABLE', 'The settings do not name the embedder of the memories');
}

/** Numbers of 32 bits, the lowest byte first, as clients of OpenAI's API read them. */
function toBase64(vector: Float32Array): string {
  const bytes = Buffer.alloc(vector.length * 4);
  vector.forEach((value, index) => bytes.writeFloatLE(value, index * 4));
  return bytes.toString('base64');
}
