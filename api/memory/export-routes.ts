import { exportedMemorySchema } from '../../src/contracts/http/memory';
import type { MemoryStreams } from '../../src/memory/stores/memory-stores';
import { NDJSON, ndjson } from '../http/ndjson';
import { documentedAs } from '../http/examples';
import { type AnyRoute, defineStreamRoute } from '../http/route';
import { type MemoryRequestLimits, memoryRequestSchemas } from './memory-requests';

/** The route that exports all memories of a user. */
export function memoryExportRoutes(stores: MemoryStreams, limits: MemoryRequestLimits): AnyRoute[] {
  return [
    defineStreamRoute({
      method: 'get',
      path: '/api/memory/export/:userId',
      ...documentedAs('exportMemories'),
      access: 'memory',
      tag: 'Memory',
      summary: 'All memories of a user, one per line',
      description: 'An export without the line of kind `end` is incomplete. Reads are not counted.',
      request: { params: memoryRequestSchemas(limits).byUser },
      streams: { [NDJSON]: exportedMemorySchema },
      handler: ({ params: { userId } }, context) => ({
        mediaType: NDJSON,
        fileName: 'memories.ndjson',
        chunks: ndjson(stores.iterate(({ service }) => service.exportAll(userId, context.signal()))),
      }),
    }),
  ];
}
