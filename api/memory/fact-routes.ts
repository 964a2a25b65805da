import { z } from 'zod';
import { memoryGraphViewSchema } from '../../src/contracts/http/memory';
import type { MemoryStores } from '../../src/memory/stores/memory-stores';
import { documentedAs } from '../http/examples';
import { type AnyRoute, defineRoute } from '../http/route';
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
export function factRoutes({ use }: Pick<MemoryStores, 'use'>, limits: MemoryRequestLimits): AnyRoute[] {
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
      handler: async ({ params: { userId }, query: { limit, offset, ...asked } }) => {
        const facts = await use(({ service }) => service.facts.list(userId));
        const found = selectFacts(facts, asked, Date.now());
        return { facts: found.slice(offset, offset + limit).map(toFactResponse), total: found.length };
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
      handler: ({ params: { userId }, query: { limit } }) =>
        use(({ service }) => service.graphView(userId, limit)),
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
      handler: async ({ params: { userId, factId }, body }) => {
        const check = unchanged(body, [...READ_ONLY_OF_FACTS, 'userId']);
        const corrected = use(({ service }) =>
          service.facts.correct(userId, factId, body.value, (fact) =>
            check({ ...toFactResponse(fact), userId }),
          ),
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
      handler: async ({ params: { userId, factId } }) =>
        toFactResponse(await use(({ service }) => service.facts.retract(userId, factId))),
    }),
  ];
}
