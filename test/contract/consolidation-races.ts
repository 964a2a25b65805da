import { MAX_LIST_LIMIT } from '../../src/stores/documents';
import type { UserMemories } from '../../src/stores/memory/memory-graph';
import {
  type ConsolidationStage,
  openConsolidationStage,
  type OpenedStores,
  USER,
} from './support/consolidation-stage';

const NAME = { userId: USER, consolidationId: 'c1' };

/** What consolidations must do when others change memories at the same time. @param open opens empty stores */
export function describeConsolidationRaces(name: string, open: () => Promise<OpenedStores>): void {
  describe(`consolidations beside other changes on ${name}`, () => {
    let stores: OpenedStores;
    let stage: ConsolidationStage;

    beforeEach(async () => {
      stores = await open();
      stage = openConsolidationStage(stores.graph, stores.documents);
    });
    afterEach(() => stores.dispose());

    /** Stores two memories that say the same. @returns the step that archives the first, and the ids of both */
    async function repeat(text = 'I live in York.') {
      const [first, kept] = [await stage.say(text), await stage.say(text)];
      const { archive } = await stage.plan();
      return { step: { ...NAME, memories: archive, start: 0 }, first, kept };
    }
    /** The graph, on which something happens once before a memory is deleted. */
    function beforeDelete(happens: (id: string) => Promise<unknown>): Partial<UserMemories> {
      let happened = false;
      return {
        async delete(id, options) {
          if (!happened) {
            happened = true;
            await happens(id);
          }
          return stage.graph.delete(id, options);
        },
      };
    }
    const copies = async (): Promise<number> => (await stage.archive.latest(NAME, 100)).size;
    async function remove(id: string): Promise<void> {
      await stage.facts.forget(USER, id);
      await stage.graph.delete(id);
    }
    const killed = { delete: () => Promise.reject(new Error('killed')) };

    test('an undo ends a consolidation whose run is still working', async () => {
      for (const text of ['one thing', 'one thing', 'other thing', 'other thing']) await stage.say(text);
      const memories = await stage.memories();
      const [first, second] = (await stage.plan()).archive;
      const stepOf = (planned: typeof first, start: number) => ({
        ...NAME,
        memories: planned === undefined ? [] : [planned],
        start,
      });
      expect(await stage.consolidations.archive(stepOf(first, 0))).toBe(1);
      expect(await stage.undo('c1')).toBe(1);
      expect(await stage.consolidations.archive(stepOf(second, 1))).toBe(0);
      const times = { from: '2026-01-02', to: '2026-01-02' };
      const summary = { id: 's1', sessionId: 'monday', messages: 4, summary: 'things', ...times };
      await stage.consolidations.summarise({ ...NAME, summaries: [summary] });
      await stage.consolidations.finish(NAME, 1);
      expect(await stage.memories()).toEqual(memories);
      await expect(stage.undo('c1')).rejects.toMatchObject({ code: 'CONSOLIDATION_UNDONE' });
    });

    test('what a step archives after an undo can be restored by another undo', async () => {
      for (const text of ['one thing', 'one thing', 'other thing', 'other thing']) await stage.say(text);
      const memories = await stage.memories();
      const step = { ...NAME, memories: (await stage.plan()).archive, start: 0 };
      // The undo meets a copy whose memory is about to be deleted.
      const undone = beforeDelete(() => stage.undo('c1'));
      expect(await stage.with(undone).archive(step)).toBe(1);
      expect(await stage.memories()).toHaveLength(3);
      expect(await stage.undo('c1')).toBe(1);
      expect(await stage.memories()).toEqual(memories);
    });

    test('two attempts of one step at once keep the copy', async () => {
      const { step: planned } = await repeat();
      const memories = await stage.memories();
      const beforePut = (happens: () => Promise<unknown>): Partial<UserMemories> => ({
        async neighbours(ids) {
          const found = await stage.graph.neighbours(ids);
          await happens();
          return found;
        },
      });
      for (const [consolidationId, interrupt] of [
        ['c1', beforeDelete],
        ['c2', beforePut],
      ] as const) {
        const step = { ...planned, consolidationId };
        const interrupted = interrupt(() => stage.consolidations.archive(step));
        expect(await stage.with(interrupted).archive(step)).toBe(1);
        expect(await stage.memories()).toHaveLength(1);
        expect(await stage.undo(consolidationId)).toBe(1);
        expect(await stage.memories()).toEqual(memories);
      }
    });

    test('a memory that is changed or deleted just before it would be archived is not archived', async () => {
      for (const happens of [(id: string) => stage.graph.update(id, { weight: 0.4 }), remove]) {
        const { step, first, kept } = await repeat();
        expect(await stage.with(beforeDelete(happens)).archive(step)).toBe(0);
        expect((await stage.graph.get(first.id))?.weight).toBe(happens === remove ? undefined : 0.4);
        expect(await copies()).toBe(0);
        for (const { id } of [first, kept]) await remove(id);
      }
    });

    test('an attempt that was killed leaves no copy of a memory that stays', async () => {
      for (const changed of ['first', 'kept'] as const) {
        const repeated = await repeat(`the ${changed} thing`);
        await expect(stage.with(killed).archive(repeated.step)).rejects.toThrow('killed');
        expect(await copies()).toBe(1);
        await stage.graph.update(repeated[changed].id, { weight: 0.4 });
        expect(await stage.consolidations.archive(repeated.step)).toBe(0);
        expect(await copies()).toBe(0);
        for (const { id } of [repeated.first, repeated.kept]) await remove(id);
      }
    });

    test('an undo leaves the facts of a memory that was changed and never deleted', async () => {
      const { step, first, kept } = await repeat();
      await expect(stage.with(killed).archive(step)).rejects.toThrow('killed');
      await stage.graph.update(first.id, { text: 'nothing' });
      for (const { id: memoryId, timestamp: at } of [first, kept])
        await stage.facts.draw({ userId: USER, memoryId, text: 'nothing', at });
      expect(await stage.undo('c1')).toBe(1);
      expect(await stage.facts.list(USER)).toEqual([]);
      expect(await stage.graph.get(first.id)).toMatchObject({ text: 'nothing' });
    });

    test('where the kept memory is deleted meanwhile, the facts of the archived one go with it', async () => {
      const { step, kept } = await repeat();
      const before = await stage.memories();
      expect(await stage.with(beforeDelete(() => remove(kept.id))).archive(step)).toBe(1);
      expect(await stage.facts.list(USER)).toEqual([]);
      expect(await stage.undo('c1')).toBe(1);
      expect((await stage.memories())[0]).toMatchObject({ ...before[0], related: [] });
      expect(await stage.facts.list(USER)).toMatchObject([{ value: 'York' }]);
    });

    test('the latest of many consolidations are listed first', async () => {
      await stage.archive.note(NAME, { archived: 0 });
      const [noted] = await stage.documents.list<{ at: number }>('consolidations');
      const { key = '', value } = noted ?? {};
      const later = Array.from({ length: MAX_LIST_LIMIT }, (_, n) => n + 1);
      await stage.documents.write(
        later.map((n) => ({
          type: 'put',
          collection: 'consolidations',
          key: `${key}-${String(n).padStart(4, '0')}`,
          value: { ...value, at: (value?.at ?? 0) + n, archived: n },
        })),
      );
      const found = await stage.consolidations.list(USER);
      expect(found.map(({ archived }) => archived)).toEqual([...later.reverse(), 0]);
    });
  });
}
