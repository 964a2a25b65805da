import { z } from 'zod';
import { memoryGraphViewSchema } from '../../src/contracts/http/memory';
import { documentedAs } from '../http/examples';
import { type AnyRoute, routesWith } from '../http/route';
import {
  correctionSchema,
  factSchema,
  factsQuery,
  READ_ONLY_OF_FACTS,
  selectFacts,
  toFactResponse,
} from './fact-requests';
import { unchanged } from '../http/read-only';
import { type MemoryRequestLimits, memoryRequestSchemas } from './memory-requests';
import type { MemoryServices } from './own-memory';

const { defineRoute } = routesWith<MemoryServices>();

const TAG = 'Facts';
const graphQuery = z.strictObject({
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(500)
    .default(200)
    .describe('Maximum number of memories of each kind, and of facts; the latest are shown'),
});

/** The routes of facts: what users said of themselves and of others, and from when to when it holds. */
export function factRoutes(limits: MemoryRequestLimits): AnyRoute<MemoryServices>[] {
  const { byUser } = memoryRequestSchemas(limits);
  const byFact = byUser.extend({ factId: z.string().min(1).max(300) });
  return [
    defineRoute({
      method: 'get',
      path: '/api/memory/facts/:userId',
      ...documentedAs('listFacts'),
      access: 'memory',
      tag: TAG,
      summary: 'The facts that hold, or that held at a time, the latest first',
      message: ({ facts }) => `Found ${facts.length} facts`,
      tools: () => [],
      request: { params: byUser, query: factsQuery },
      response: z.object({ facts: z.array(factSchema), total: z.number().int().min(0) }),
      handler: async ({ params: { userId }, query: { limit, offset, ...filters } }, { services }) => {
        const facts = await (await services.memory.open()).facts.list(userId);
        const matching = selectFacts(facts, filters, Date.now());
        return { facts: matching.slice(offset, offset + limit).map(toFactResponse), total: matching.length };
      },
    }),
    defineRoute({
      method: 'get',
      path: '/api/memory/graph/:userId',
      ...documentedAs('getMemoryGraph'),
      access: 'memory',
      tag: TAG,
      summary: 'Memories and facts of a user with their connections, for pictures',
      message: ({ nodes, edges }) => `Found ${nodes.length} nodes and ${edges.length} edges`,
      tools: () => ['graphdb'],
      request: { params: byUser, query: graphQuery },
      response: memoryGraphViewSchema,
      handler: async ({ params: { userId }, query: { limit } }, { services }) =>
        (await services.memory.open()).graphView(userId, limit),
    }),
    defineRoute({
      method: 'patch',
      path: '/api/memory/facts/:userId/:factId',
      ...documentedAs('correctFact'),
      access: 'memory',
      tag: TAG,
      summary: 'Correct a fact: another value held from its beginning, and this one never did',
      message: 'Fact corrected successfully',
      tools: () => [],
      request: { params: byFact, body: correctionSchema },
      response: factSchema,
      handler: async ({ params: { userId, factId }, body }, { services }) => {
        const check = unchanged(body, [...READ_ONLY_OF_FACTS, 'userId']);
        const corrected = (await services.memory.open()).facts.correct(userId, factId, body.value, (fact) =>
          check({ ...toFactResponse(fact), userId }),
        );
        return toFactResponse(await corrected);
      },
    }),
    defineRoute({
      method: 'delete',
      path: '/api/memory/facts/:userId/:factId',
      ...documentedAs('retractFact'),
      access: 'memory',
      tag: TAG,
      summary: 'Retract a fact: it never held, and what it superseded may hold again',
      message: 'Fact retracted successfully',
      tools: () => [],
      request: { params: byFact },
      response: factSchema,
      handler: async ({ params: { userId, factId } }, { services }) =>
        toFactResponse(await (await services.memory.open()).facts.retract(userId, factId)),
    }),
  ];
}
