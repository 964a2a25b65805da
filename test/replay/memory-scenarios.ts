import { join } from 'node:path';
import { createLexicalEmbedder } from '../../src/embeddings/lexical/lexical-embedder';
import { newId } from '../../src/base/ids';
import { toEpisodicNode } from '../../src/memory/nodes/episodic-node';
import { nameOf } from '../../src/memory/vectors/vector-spaces';
import { createSqliteMemoryGraph } from '../../src/stores/sqlite/memory';
import type { Scenario } from './scenario';

const USER = 'recorded-user';
const MEMORIES = 150;

/** Memories of a user in a space that is not the one of the settings. */
export async function seedMemories(dataDir: string): Promise<void> {
  const graph = createSqliteMemoryGraph({ path: join(dataDir, 'memory.db') });
  const embedder = createLexicalEmbedder(256);
  const { id: spaceId } = await graph.pinVectorSpace(nameOf(embedder.identity), 256);
  for (let n = 0; n < MEMORIES; n += 1) {
    const memory = { userId: USER, sessionId: 'session-1', content: `note ${n} about sailing` };
    const node = toEpisodicNode(memory, { id: newId(), timestamp: Date.now() });
    const [values = new Float32Array()] = await embedder.embed([node.text]);
    await graph.insert({ node, vector: { spaceId, values } });
  }
  await graph.close();
}

/** Work on many memories, in an order in which each has something to do. */
export function memoryScenarios(): Scenario[] {
  const reindex = { path: '/api/memory/reindex', body: {} };
  const clear = { method: 'DELETE', path: `/api/memory/clear/${USER}`, body: undefined } as const;
  return [
    { name: 'reindexMemories-moved', ...reindex },
    { name: 'reindexMemories-nothing-to-do', ...reindex },
    { name: 'eraseUserMemories-erased', ...clear },
    { name: 'eraseUserMemories-nothing-to-do', ...clear },
  ];
}
