import { HoldfastError } from '../../src/base/errors';
import { toSemanticNode } from '../../src/memory/nodes/semantic-node';
import type { Consolidations } from '../../src/memory/upkeep/consolidations';
import {
  CONSOLIDATION_PASS,
  type ConsolidationPass,
  createConsolidationPass,
} from '../../src/memory/upkeep/pass';
import { createPassCursor } from '../../src/memory/upkeep/pass-cursor';
import { createSecretBox, KEY_BYTES } from '../../src/secrets/secret-box';
import type { MemoryGraph } from '../../src/stores/memory/memory-graph';
import {
  afterDays,
  type ConsolidationStage,
  openConsolidationStage,
  type OpenedStores,
  START,
} from './support/consolidation-stage';

type ListUsers = MemoryGraph['listUsers'];

/** What passes over all users must do on every store of memories and documents. @param open opens empty stores */
export function describeConsolidationPasses(name: string, open: () => Promise<OpenedStores>): void {
  describe(`consolidation passes on ${name}`, () => {
    let stores: OpenedStores;
    let stage: ConsolidationStage;
    let ids: number;
    let warnings: object[];

    beforeEach(async () => {
      stores = await open();
      stage = openConsolidationStage(stores.graph, stores.documents);
      ids = 0;
      warnings = [];
    });
    afterEach(() => stores.dispose());

    const cursorPorts = (key = 7) => ({
      documents: stage.documents,
      secrets: createSecretBox(Buffer.alloc(KEY_BYTES, key)),
      logger: { warn: (fields: object) => void warnings.push(fields) },
      now: () => START + stage.clock,
    });

    function passOf(changed: {
      readonly listUsers?: ListUsers;
      readonly consolidations?: Consolidations;
      readonly key?: number;
    }): ConsolidationPass {
      const listUsers: ListUsers = (kind, options) => stores.graph.listUsers(kind, options);
      const memory = { graph: stage.graph, consolidations: stage.consolidations, listUsers, ...changed };
      return createConsolidationPass({
        ...cursorPorts(changed.key),
        open: () => Promise.resolve(memory),
        newId: () => `pass-${(ids += 1)}`,
      });
    }

    /** Stores two equal memories for each of three users, and concepts of two. */
    async function fill(): Promise<void> {
      const texts = ['one thing', 'one thing'];
      for (const userId of ['ben', 'cleo', 'dora'])
        for (const text of texts) await stage.say(text, { userId });
      const concept = { userId: 'ben', concept: 'bees', description: 'they fly' };
      for (const [userId, id] of [
        ['ben', 'b1'],
        ['eve', 'e1'],
        ['eve', 'e2'],
      ] as const)
        await stage.graph.insert({
          node: toSemanticNode({ ...concept, userId }, { id, timestamp: START }),
          vector: null,
        });
      afterDays(stage, 2);
    }

    test('a pass visits every user once, and continues where it was', async () => {
      await fill();
      let asked = 0;
      const pass = passOf({
        listUsers: (...query) => {
          asked += 1;
          return asked === 2 ? Promise.reject(new Error('killed')) : stores.graph.listUsers(...query);
        },
      });
      expect(await pass()).toEqual({ users: 3, archived: 3, failed: 0, done: false });
      await expect(pass()).rejects.toThrow('killed');
      expect(await pass()).toEqual({ users: 1, archived: 1, failed: 0, done: true });
      expect(await stage.documents.list('consolidation-pass')).toEqual([]);
      expect(await pass()).toEqual({ users: 3, archived: 0, failed: 0, done: false });
      expect(warnings).toEqual([]);
    });

    test('a user whose memories cannot be consolidated does not keep the pass from the others', async () => {
      await fill();
      const { consolidations } = stage;
      const failing = (error: Error): Consolidations => ({
        ...consolidations,
        plan: (userId, ...rest) =>
          userId === 'cleo' ? Promise.reject(error) : consolidations.plan(userId, ...rest),
      });
      const away = new HoldfastError('STORE_UNAVAILABLE', 'away', { retryable: true });
      await expect(passOf({ consolidations: failing(away) })()).rejects.toBe(away);
      const pass = passOf({ consolidations: failing(new Error('cannot be read')) });
      // The step that failed has consolidated the first user.
      expect(await pass()).toEqual({ users: 1, archived: 1, failed: 1, done: false });
      expect(await pass()).toMatchObject({ users: 1, done: true });
      expect(warnings).toEqual([{ reason: 'cannot be read' }]);
    });

    test('a pass whose place was sealed with a former key, or that was stopped long ago, begins again', async () => {
      await fill();
      await passOf({ key: 8 })();
      expect(await passOf({})()).toMatchObject({ users: 3, archived: 0, done: false });
      expect(warnings).toHaveLength(1);
      expect(await stage.documents.removeExpired(START + stage.clock, 100)).toBe(0);
      afterDays(stage, 2);
      expect(await stage.documents.removeExpired(START + stage.clock, 100)).toBe(1);
      expect(await stage.documents.list('consolidation-pass')).toEqual([]);
    });

    test('a pass that was stopped after a user who is erased begins again, and nothing names the user', async () => {
      await fill();
      const cursor = createPassCursor<{ kind: string; after: string }>(cursorPorts(), CONSOLIDATION_PASS);
      await cursor.write({ kind: 'episodic', after: 'ben' });
      await cursor.forget('cleo');
      expect(await cursor.read()).toEqual({ kind: 'episodic', after: 'ben' });
      await cursor.forget('ben');
      expect(await stage.documents.list('consolidation-pass')).toEqual([]);
      expect(await passOf({})()).toMatchObject({ users: 3, archived: 3 });
    });
  });
}
