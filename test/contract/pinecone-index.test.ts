import type { VectorIndex } from '../../src/stores/memory/vector-index';
import { pineconeIndexAt } from '../support/pinecone-index';
import { startPineconeServer } from '../support/pinecone-server/server';
import { describeVectorIndex } from './vector-index';

describeVectorIndex('Pinecone', async () => {
  const server = await startPineconeServer();
  const indexes: VectorIndex[] = [];
  // Reads see no write before `settle`, because a test that passes without it would pass only by chance with the
  // service.
  server.hold();
  return {
    connect() {
      const index = pineconeIndexAt(server);
      indexes.push(index);
      return index;
    },
    settle() {
      server.release();
      server.hold();
      return Promise.resolve();
    },
    async dispose() {
      for (const index of indexes) await index.close();
      await server.close();
    },
  };
});
