import { exportedMemorySchema } from '../../src/contracts/http/memory';
import type { MemoryStreams } from '../../src/memory/stores/memory-stores';
import { NDJSON, ndjson } from '../http/ndjson';
import { documentedAs } from '../http/examples';
import { type AnyRoute, defineStreamRoute, type StreamContext, type StreamedAnswer } from '../http/route';
import { type MemoryRequestLimits, memoryRequestSchemas } from './memory-requests';

/** The routes that export all memories of a user. */
export function memoryExportRoutes(stores: MemoryStreams, limits: MemoryRequestLimits): AnyRoute[] {
  const { byUser } = memoryRequestSchemas(limits);
  const route = {
    method: 'get',
    access: 'memory',
    tag: 'Memory',
    description: 'An export without the line of kind `end` is incomplete. Reads are not counted.',
    streams: { [NDJSON]: exportedMemorySchema },
  } as const;
  const send = (userId: string, context: StreamContext): StreamedAnswer => ({
    mediaType: NDJSON,
    fileName: 'memories.ndjson',
    chunks: ndjson(stores.iterate(({ service }) => service.exportAll(userId, context.signal()))),
  });
  return [
    defineStreamRoute({
      ...route,
      path: '/api/memory/export/:userId',
      ...documentedAs('exportMemories'),
      summary: 'All memories of a user, one per line',
      request: { params: byUser },
      handler: ({ params: { userId } }, context) => send(userId, context),
    }),
    defineStreamRoute({
      ...route,
      path: '/api/memory/export',
      ...documentedAs('exportMemoriesByQuery'),
      summary: 'All memories of a user whom no path can name, such as `..`',
      request: { query: byUser },
      handler: ({ query: { userId } }, context) => send(userId, context),
    }),
  ];
}
