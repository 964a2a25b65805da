import { join } from 'node:path';
import { createLexicalEmbedder } from '../../src/embeddings/lexical/lexical-embedder';
import { newId } from '../../src/base/ids';
import { toEpisodicNode } from '../../src/memory/nodes/episodic-node';
import { nameOf } from '../../src/memory/vectors/vector-spaces';
import { createSqliteMemoryGraph } from '../../src/stores/sqlite/memory';
import { drawn, drawsFacts } from '../support/fact-model';
import type { ModelScenario } from './model-scenarios';
import type { Scenario, StartedScenario } from './scenario';

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
  const metadata = { tags: ['conversation'] };
  const say = { userId: USER, sessionId: 'session-2', content: 'The oak shelves are late', metadata };
  const repeated = [
    reindex,
    ...Array.from({ length: 12 }, () => ({ path: '/api/memory/episodic', body: say })),
  ];
  const consolidate = (body: object) => ({
    before: repeated,
    path: `/api/memory/consolidate/${USER}`,
    body,
  });
  return [
    { name: 'reindexMemories-moved', ...reindex },
    { name: 'reindexMemories-nothing-to-do', ...reindex },
    { name: 'reindexMemories-again', ...reindex, body: { again: true } },
    { name: 'consolidateMemories-reported', ...consolidate({ dryRun: true }) },
    { name: 'consolidateMemories-archived', ...consolidate({ longSession: 10 }) },
    {
      ...consolidate({}),
      name: 'undoConsolidation-restored',
      before: [...repeated, consolidate({})],
      path: `/api/memory/consolidations/${USER}/:id/undo`,
      body: {},
    },
    {
      name: 'eraseUserMemories-erased',
      method: 'DELETE',
      path: `/api/memory/clear/${USER}`,
      body: undefined,
    },
  ];
}

/** The work on the memories of all users, which the housekeeping of workers starts, and runs by the clock. */
export function passScenarios(): StartedScenario[] {
  const request = { toolName: 'calculator', args: { operation: 'add', a: 2, b: 3 } };
  const schedule = { id: 'yearly', spec: { cron: ['@yearly'] }, action: { type: 'tool', request } };
  const said = { userId: USER, sessionId: 'session-3', content: 'I live in Leeds.' };
  return [
    {
      name: 'scheduledRun-started',
      before: [{ path: '/api/schedules', body: schedule }],
      type: 'scheduledRun',
      input: { scheduleId: schedule.id },
    },
    { name: 'scheduledRun-deleted', type: 'scheduledRun', input: { scheduleId: 'none' } },
    { name: 'consolidateAllUsers-visited', type: 'consolidateAllUsers', input: {} },
    {
      name: 'redrawFacts-read',
      before: [
        { path: '/api/memory/reindex', body: {} },
        { path: '/api/memory/episodic', body: said },
      ],
      type: 'redrawFacts',
      input: {},
    },
  ];
}

/** Memories whose facts a model draws, which takes the setting for it. */
export function factScenarios(): ModelScenario[] {
  const content = 'Ik woon in Utrecht';
  const body = { userId: USER, sessionId: 'session-1', content };
  const model = [drawsFacts((memory) => [drawn(memory, { value: 'Utrecht' })])];
  const before = [{ path: '/api/memory/reindex', body: {} }];
  const path = '/api/memory/episodic';
  return [{ name: 'drawFacts-drawn', before, path, body, model, started: 'drawFacts' }];
}
