import { z } from 'zod';
import { bytes, count, httpAddress, milliseconds } from './fields';

export const memorySettings = {
  VECTOR_STORE: z
    .enum(['auto', 'embedded', 'pinecone', 'none'])
    .default('auto')
    .describe(
      'Where semantic memories are searched; auto: pinecone if PINECONE_API_KEY is set, else embedded, which is in the store of the graph',
    ),
  PINECONE_API_KEY: z.string().optional().describe('Key of Pinecone'),
  PINECONE_INDEX: z.string().default('holdfast').describe('Index of Pinecone; made if it does not exist'),
  PINECONE_ENVIRONMENT: z
    .string()
    .default('us-east-1')
    .describe('Region in which an index of Pinecone is made'),
  PINECONE_CONTROLLER_URL: httpAddress
    .optional()
    .describe("Address of Pinecone's control plane, if not its own"),
  MEMORY_SIMILARITY_THRESHOLD: z.coerce
    .number()
    .min(0)
    .max(1)
    .default(0.7)
    .describe('Least similarity that a semantic search returns unless it asks for another, 0 to 1'),
  MEMORY_MAX_CONTEXT_MEMORIES: count(1, 1_000)
    .default(50)
    .describe('Most memories in the context of a conversation'),
  CONVERSATION_RECENT_MESSAGES: count(0, 100)
    .default(10)
    .describe('Latest messages of a session that a turn looks at whatever they say'),
  CONVERSATION_MEMORY_TIMEOUT_MS: milliseconds(100, 600_000)
    .default(10_000)
    .describe('Longest a turn waits for memory to recall, and to remember, retries included, ms'),
  SESSION_MAX_WAITING_TURNS: count(1, 64)
    .default(32)
    .describe('Max number of turns that wait in one session; another one is refused with 429'),
  MEMORY_MAX_RESULTS: count(1, 1_000).default(100).describe('Most memories that one search returns'),
  MEMORY_MAX_CONTENT_LENGTH: count(100, 1_000_000)
    .default(10_000)
    .describe('Longest text of a memory, characters'),
  MEMORY_CONSOLIDATION: z
    .enum(['off', 'daily', 'weekly'])
    .default('off')
    .describe(
      'How often memories of all users are consolidated: repetitions and what holds no more are archived, long sessions summarised',
    ),
  MEMORY_FACTS: z
    .enum(['off', 'rules', 'model'])
    .default('rules')
    .describe(
      'What draws facts from what users say. model: besides the rules the default model, later, with one more model call for each message of a user; without a model as rules. off: none are drawn, and those drawn before stay until their memory changes',
    ),
  MEMORY_IMPORT_MAX_BYTES: bytes(1_024, 4_294_967_296)
    .default(256 * 1_048_576)
    .describe('Largest upload of an import of memories, bytes; its lines are bounded by MAX_BODY_BYTES'),
  MEMORY_IMPORT_MAX_LINES: count(1, 10_000_000)
    .default(1_000_000)
    .describe('Most lines in an upload of an import of memories'),
  MEMORY_MAX_PER_USER: count(1, 100_000_000)
    .optional()
    .describe('Most memories of a kind that a user may have; absent: no bound'),
};

export const embeddingSettings = {
  MEMORY_EMBEDDING_PROVIDER: z
    .enum(['auto', 'transformers', 'lexical'])
    .default('auto')
    .describe(
      'What makes embeddings; auto: the model of MEMORY_EMBEDDING_MODEL if it is on disk or can be downloaded, else lexical',
    ),
  MEMORY_EMBEDDING_MODEL: z
    .string()
    .min(1)
    .max(500)
    .default('Xenova/all-mpnet-base-v2')
    .describe('Embedding model: a name of the hub, or a local folder'),
  MEMORY_EMBEDDING_MODELS: z
    .string()
    .default('')
    .describe(
      'Other models of the hub that an initialization may name, comma-separated; MEMORY_EMBEDDING_MODEL may always be named',
    ),
  MEMORY_EMBEDDING_DIMENSIONS: count(16, 4_096)
    .default(768)
    .describe('Length of every embedding; has to be that of the model'),
  MEMORY_EMBEDDING_HUB_URL: httpAddress
    .default('https://huggingface.co')
    .describe('Base address that embedding models are downloaded from, into models/ in DATA_DIR'),
  MEMORY_EMBEDDING_MAX_BYTES: bytes(1_024, 68_719_476_736)
    .default(1_073_741_824)
    .describe('Largest embedding model that is downloaded, all of its files together, bytes'),
  MEMORY_EMBEDDING_CACHE_ENTRIES: count(0, 1_000_000)
    .default(10_000)
    .describe('Most texts whose embeddings a process keeps in memory'),
  MEMORY_EMBEDDING_CACHE_BYTES: bytes(0, 4_294_967_296)
    .default(64 * 1_048_576)
    .describe('Most memory those take, bytes'),
};
