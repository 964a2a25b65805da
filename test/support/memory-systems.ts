import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { createDocumentStore } from '../../src/factories/create-stores';
import { memoryBackends } from '../../src/factories/memory-backends';
import { createMemorySystem } from '../../src/memory/create-memory-system';
import type { Area, NamedStores, StoreSettings } from '../../src/memory/stores/settings';
import { loadConfig } from '../../src/settings/config';
import type { DocumentStore } from '../../src/stores/documents';
import { startModelHub, type ModelHub } from './model-hub';
import { API_KEY, type PineconeServer, startPineconeServer } from './pinecone-server/server';
import { secretsOf } from './secrets';
import { makeTempDir, type TempDir } from './temp-dir';
import { writeTinyModel } from './tiny-model';

export const KEY = randomBytes(32);
export const never = new AbortController().signal;
export const PINECONE: StoreSettings = {
  vectordb: { apiKey: API_KEY, indexName: 'mine', environment: 'us-east-1' },
};
export const OWN_INDEX = { PINECONE_API_KEY: API_KEY, PINECONE_INDEX: 'mine' };
/** Goes back to the vectors of the environment. */
export const OWN_VECTORS: NamedStores = { vectordb: null };

/** Memory systems of one test, as processes on the same data open them. */
export function useMemorySystems() {
  let dir: TempDir;
  let hub: ModelHub;
  let pinecone: PineconeServer;
  let opened: { readonly system: { close(): Promise<void> }; readonly documents: DocumentStore }[];
  let lines: string[];

  beforeEach(async () => {
    dir = makeTempDir();
    hub = await startModelHub(writeTinyModel(join(dir.path, 'hub')).folder);
    pinecone = await startPineconeServer();
    opened = [];
    lines = [];
  });

  afterEach(async () => {
    for (const { system, documents } of opened) {
      await system.close();
      await documents.close();
    }
    await hub.close();
    await pinecone.close();
    dir.remove();
  });

  /** Opens the system as another process on the same data does, with the memories of the default tenant. */
  function open(environment: Record<string, string> = {}, key = KEY) {
    const config = loadConfig({
      DATA_DIR: join(dir.path, 'data'),
      MEMORY_EMBEDDING_PROVIDER: 'lexical',
      MEMORY_EMBEDDING_MODELS: 'someone/tiny',
      MEMORY_EMBEDDING_HUB_URL: hub.url,
      PINECONE_CONTROLLER_URL: pinecone.url,
      ...environment,
    });
    const documents = createDocumentStore({ path: join(config.DATA_DIR, 'holdfast.db') });
    const note = (...entry: unknown[]) => void lines.push(JSON.stringify(entry));
    const { pseudonyms, ...keyed } = secretsOf(key);
    const whole = createMemorySystem({
      config,
      backends: memoryBackends,
      documents,
      ...keyed,
      pseudonyms,
      logger: { info: note, warn: note } as never,
    });
    const system = { ...whole, ...whole.of({ tenant: 'default', documents, pseudonyms }), documents };
    opened.push({ system, documents });
    return system;
  }

  return { open, dir: () => dir, hub: () => hub, pinecone: () => pinecone, lines: () => lines };
}

export type OpenedSystem = ReturnType<ReturnType<typeof useMemorySystems>['open']>;

export const initialize = (
  { configuration }: OpenedSystem,
  area: Area,
  named: NamedStores,
  replace = false,
) => configuration.initialize(area, named, { replace, signal: never });

export const replaceBy = (system: OpenedSystem, named: NamedStores) =>
  initialize(system, 'agent', named, true);

export const addConcept = async ({ open }: OpenedSystem, userId: string, concept: string) =>
  (await open()).semantic().create({ userId, concept, description: '' });

export const countConcepts = async ({ open }: OpenedSystem, userId: string): Promise<number> =>
  (await (await open()).overview.stats(userId)).semantic.count;
