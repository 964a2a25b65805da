import { z } from 'zod';
import { validationError } from '../../src/base/errors';
import { memoryImportReportSchema } from '../../src/contracts/http/memory-imports';
import { newNameSchema } from '../../src/contracts/http/text-schema';
import { semanticComponents } from '../../src/memory/service/create-memory';
import { documentedAs } from '../http/examples';
import { type AnyRoute, routesWith } from '../http/route';
import type { MemoryImportRuns } from './import-runs';
import { type MemoryRequestLimits, memoryRequestSchemas } from './memory-requests';
import type { MemoryServices } from './own-memory';
import { NDJSON } from '../http/send-stream';

const TAG = 'Memory';
const reportSchema = memoryImportReportSchema.extend({ userId: z.string() });

/** What the routes of imports need of the caller's tenant. */
export interface MemoryImportServices extends MemoryServices {
  readonly runs: { readonly memoryImports: MemoryImportRuns };
}

const { defineRoute } = routesWith<MemoryImportServices>();

/** The routes that import memories of a user. */
export function memoryImportRoutes(limits: MemoryRequestLimits): AnyRoute<MemoryImportServices>[] {
  const { byUser } = memoryRequestSchemas(limits);
  return [
    defineRoute({
      method: 'post',
      path: '/api/memory/import/:userId',
      ...documentedAs('importMemories'),
      access: 'memory',
      tag: TAG,
      summary: 'Import an export, or the messages of conversations, one JSON object per line',
      description:
        'A line is one of an export, or a message: `{ role, content, timestamp, sessionId }`. The response is sent when the run ' +
        'that creates the memories is started; the address in `Location` reports its progress and the lines that could not be ' +
        'imported. The same upload creates nothing twice.',
      status: 201,
      message: 'Import started successfully',
      tools: async (_input, { memory }) => [
        'graphdb',
        ...semanticComponents(await memory.open()),
        'embedder',
      ],
      startsRun: true,
      streamedBody: NDJSON,
      request: { params: z.object({ userId: newNameSchema }) },
      response: reportSchema,
      location: ({ id, userId }) => `/api/memory/import/${encodeURIComponent(userId)}/${id}`,
      handler: ({ params: { userId } }, context) => {
        const { bodyStream } = context;
        if (bodyStream === undefined) throw validationError('body', 'body is required');
        return context.services.runs.memoryImports.start(userId, bodyStream, context);
      },
    }),
    defineRoute({
      method: 'get',
      path: '/api/memory/import/:userId/:importId',
      ...documentedAs('getMemoryImport'),
      access: 'memory',
      tag: TAG,
      summary: 'Progress of an import, and the lines that could not be imported',
      message: ({ rows, state }) => `${rows} lines, ${state}`,
      tools: () => [],
      request: { params: byUser.extend({ importId: z.string().min(1).max(200) }) },
      response: reportSchema,
      handler: ({ params: { userId, importId } }, { services }) =>
        services.runs.memoryImports.report(userId, importId),
    }),
  ];
}
