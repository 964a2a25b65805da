import type { MemoryGraph } from '../../src/stores/memory/memory-graph';
import { describeConsolidationPasses } from './consolidation-pass';
import { describeConsolidationRaces } from './consolidation-races';
import { describeMemoryImports } from './memory-imports';
import { describeRedrawnFacts } from './redrawn-facts';
import {
  afterDays,
  type ConsolidationStage,
  openConsolidationStage,
  type OpenedStores,
  START,
  USER,
} from './support/consolidation-stage';

const idsOf = (nodes: readonly { readonly id: string }[]): string[] => nodes.map(({ id }) => id);

/** What consolidations must do on every store of memories and documents. @param open opens empty stores */
export function describeConsolidations(name: string, open: () => Promise<OpenedStores>): void {
  describeConsolidationPasses(name, open);
  describeConsolidationRaces(name, open);
  describeRedrawnFacts(name, open);
  describeMemoryImports(name, open);
  describe(`consolidations on ${name}`, () => {
    let stores: OpenedStores;
    let stage: ConsolidationStage;

    beforeEach(async () => {
      stores = await open();
      stage = openConsolidationStage(stores.graph, stores.documents);
    });
    afterEach(() => stores.dispose());

    const named = (consolidationId: string) => ({ userId: USER, consolidationId });
    const foundIds = async (text: string): Promise<string[]> =>
      idsOf(await stage.graph.searchText({ userId: USER, kind: 'episodic', text, limit: 10 })).sort();

    test('repetitions and what holds no more are planned, and a plan changes nothing', async () => {
      const first = await stage.say('I have 2 cats');
      await stage.say('I have 3 cats');
      const leeds = await stage.say('I live in Leeds.');
      const york = await stage.say('I live in York.');
      const again = await stage.say('  I have 2 cats! ');
      const before = await stage.memories();
      const plan = await stage.plan();
      expect(plan).toMatchObject({ compared: { episodic: 5, semantic: 0 }, summaries: [], more: false });
      expect(plan.archive).toEqual([
        { id: leeds.id, revision: 1 },
        { id: first.id, revision: 1, kept: { id: again.id, revision: 1 } },
      ]);
      const paraphrase = await stage.say('My home is in York.');
      expect((await stage.plan()).archive).toContainEqual({
        id: york.id,
        revision: 1,
        kept: { id: paraphrase.id, revision: 1 },
      });
      expect((await stage.memories()).slice(0, before.length - 1)).toEqual(before.slice(0, -1));
      expect(await stage.consolidations.list(USER)).toEqual([]);
    });

    test('what is archived leaves searches and sessions, keeps the facts, and comes back exactly', async () => {
      const cats = [await stage.say('I have 2 cats'), await stage.say('I have 2 cats')];
      await stage.say('I live in Leeds.');
      await stage.say('Something else');
      cats.push(await stage.say('I have 2 cats'));
      await stage.say('I live in York.');
      await stage.say('I live in York.');
      await stage.graph.noteReads([{ id: cats[0]?.id ?? '', count: 3, at: START }]);
      const memories = await stage.memories();
      const facts = await stage.facts.list(USER);
      const stats = await stage.graph.stats(USER);
      const found = await foundIds('cats');

      const plan = await stage.consolidate('c1');
      expect(plan.archive).toHaveLength(4);
      expect(await foundIds('cats')).toEqual([cats[2]?.id]);
      expect(await stage.memories()).toHaveLength(3);
      const present = (await stage.facts.list(USER)).map(({ sources: _sources, ...fact }) => fact);
      expect(present).toEqual(facts.map(({ sources: _sources, ...fact }) => fact));
      expect(await stage.consolidations.list(USER)).toMatchObject([
        { id: 'c1', at: START + stage.clock, archived: 4, summaries: [] },
      ]);
      expect((await stage.plan()).archive).toEqual([]);

      expect(await stage.undo('c1')).toBe(4);
      expect(await stage.memories()).toEqual(memories);
      expect(await stage.facts.list(USER)).toEqual(facts);
      expect(await stage.graph.stats(USER)).toEqual(stats);
      expect(await foundIds('cats')).toEqual(found);
      expect((await stage.plan()).archive).toHaveLength(4);
    });

    test('a step that was interrupted at any place is repeated without a loss', async () => {
      const [first] = [await stage.say('I live in York.'), await stage.say('I live in York.')];
      const memories = await stage.memories();
      const facts = await stage.facts.list(USER);
      const plan = await stage.plan();
      const step = { ...named('c1'), memories: plan.archive, start: 0 };
      const broken = { delete: () => Promise.reject(new Error('away')) };
      await expect(stage.with(broken).archive(step)).rejects.toThrow('away');
      expect(await stage.memories()).toEqual(memories);
      // The memory is deleted, but the process ends before it has heard of it.
      const unheard = {
        delete: async (id: string) => {
          await stage.graph.delete(id);
          throw new Error('killed');
        },
      };
      await expect(stage.with(unheard).archive(step)).rejects.toThrow('killed');
      expect(await stage.consolidations.archive(step)).toBe(1);
      expect(await stage.consolidations.archive(step)).toBe(1);
      expect((await stage.facts.list(USER))[0]?.sources[0]).toMatchObject({
        memoryId: first.id,
        archived: { keptAs: plan.archive[0]?.kept?.id },
      });
      const halfway = {
        noteReads: () => Promise.reject(new Error('killed')),
        insert: async (...args: Parameters<MemoryGraph['insert']>) => {
          await stage.graph.insert(...args);
          throw new Error('killed');
        },
      };
      await expect(stage.with(halfway).undo(named('c1'))).rejects.toThrow('killed');
      expect(await stage.undo('c1')).toBe(1);
      expect(await stage.memories()).toEqual(memories);
      expect(await stage.facts.list(USER)).toEqual(facts);
    });

    test('a memory that was changed, deleted or connected since it was compared stays as it is', async () => {
      const all = [];
      for (const text of ['one thing', 'one thing', 'other thing', 'other thing', 'last thing', 'last thing'])
        all.push(await stage.say(text));
      const [changed, , gone, , connected, kept] = idsOf(all);
      const { archive } = await stage.plan();
      await stage.graph.update(changed ?? '', { weight: 0.4 });
      await stage.graph.delete(gone ?? '');
      const relations = [{ type: 'related', direction: 'out', id: kept ?? '' }] as const;
      await stage.graph.update(connected ?? '', { relations });
      const memories = await stage.memories();
      expect(await stage.consolidations.archive({ ...named('c1'), memories: archive, start: 0 })).toBe(0);
      expect(await stage.memories()).toEqual(memories);
      expect(await stage.undo('c1')).toBe(0);
      expect(await stage.memories()).toEqual(memories);
      // It still says the same as the other one, and is less important now.
      expect((await stage.plan()).archive).toMatchObject([{ id: changed, revision: 2 }]);
    });

    test('what changed since the consolidation is not undone', async () => {
      const [first, second] = [await stage.say('I live in York.'), await stage.say('between')];
      const kept = await stage.say('I live in York.');
      await stage.consolidate('c1');
      // Without the kept memory the facts of the archived one go, too.
      await stage.facts.forget(USER, kept.id);
      await stage.graph.delete(kept.id);
      await stage.graph.delete(second.id);
      expect(await stage.facts.list(USER)).toEqual([]);
      const later = await stage.say('later');
      expect(await stage.undo('c1')).toBe(1);
      expect(await stage.memories()).toMatchObject([
        { id: first.id, related: [{ id: later.id, relationship: 'next' }] },
        { id: later.id },
      ]);
      expect(await stage.facts.list(USER)).toMatchObject([
        { value: 'York', sources: [{ memoryId: first.id }] },
      ]);
    });

    test('a memory that says something else now takes along what it was kept for', async () => {
      await stage.say('I live in York.');
      const kept = await stage.say('I live in York.');
      await stage.consolidate('c1');
      const source = { userId: USER, memoryId: kept.id, at: kept.timestamp };
      await stage.facts.draw({ ...source, text: 'I live in York.' });
      expect((await stage.facts.list(USER))[0]?.sources).toHaveLength(2);
      await stage.facts.draw({ ...source, text: 'I live in Hull.' });
      expect(await stage.facts.list(USER)).toMatchObject([
        { value: 'Hull', sources: [{ memoryId: kept.id }] },
      ]);
    });

    test('an undo is refused a second time, after a week, and to other users', async () => {
      await stage.say('one thing');
      await stage.say('one thing');
      await stage.consolidate('c1');
      expect(await stage.undo('c1')).toBe(1);
      await expect(stage.undo('c1')).rejects.toMatchObject({ code: 'CONSOLIDATION_UNDONE' });
      await stage.consolidate('c2');
      await expect(
        stage.consolidations.checkUndoable({ userId: 'ben', consolidationId: 'c2' }),
      ).rejects.toMatchObject({ code: 'CONSOLIDATION_NOT_FOUND' });
      afterDays(stage, 6.9);
      await stage.consolidations.checkUndoable(named('c2'));
      expect(await stage.documents.removeExpired(START + stage.clock, 100)).toBe(0);
      afterDays(stage, 0.2);
      await expect(stage.undo('c2')).rejects.toMatchObject({ code: 'CONSOLIDATION_EXPIRED' });
      afterDays(stage, 1);
      expect(await stage.documents.removeExpired(START + stage.clock, 100)).toBe(1);
      expect(await stage.archive.latest(named('c2'), 10)).toEqual(new Map());
    });

    test('an erasure takes the copies of its user alone, and refuses new ones until it has ended', async () => {
      await stage.say('the secret of Ada');
      await stage.say('the secret of Ada');
      await stage.consolidate('c1');
      const stored = async (collection: string): Promise<string> =>
        JSON.stringify(await stage.documents.list(collection));
      expect(await stored('archived-memories')).not.toMatch(/secret|\bada\b/i);
      expect(await stored('consolidations')).not.toMatch(/secret|\bada\b/i);
      await stage.archive.note({ userId: 'ben', consolidationId: 'c9' }, { archived: 7 });
      await stage.archive.beginErasure(USER);
      const memories = (await stage.plan()).archive;
      await expect(
        stage.consolidations.archive({ ...named('c2'), memories, start: 0 }),
      ).rejects.toMatchObject({ code: 'MEMORY_ERASING' });
      expect(await stage.archive.eraseSome(USER, 100)).toBe(1);
      expect(await stage.archive.eraseSome(USER, 100)).toBe(0);
      await stage.archive.endErasure(USER);
      await stage.archive.endErasure(USER);
      expect(await stage.consolidations.list(USER)).toEqual([]);
      expect(await stage.consolidations.list('ben')).toMatchObject([{ id: 'c9', archived: 7 }]);
      expect(await stage.documents.list('archive-erasing')).toEqual([]);
      await stage.archive.note(named('c3'), {});
    });

    test('a long session is summarised once, again when it has grown, and not by what may end', async () => {
      for (let n = 0; n < 6; n += 1) await stage.chat(`The oak shelves of order ${n} are late`);
      await stage.chat('I live in Leeds.');
      await stage.chat('The oak shelves will come', 'assistant');
      const first = await stage.consolidate('c1', 8);
      expect(first.summaries).toMatchObject([{ sessionId: 'monday', messages: 8 }]);
      expect(first.summaries[0]?.summary).toMatch(/^8 messages on 2026-01-02\. Topics: .*oak shelves/);
      expect(first.summaries[0]?.summary).not.toContain('Leeds');
      const summaries = () =>
        stage.graph.list({ userId: USER, kind: 'semantic', order: 'oldest-first', limit: 9 });
      expect(await summaries()).toMatchObject([{ labels: ['session-summary'] }]);
      await stage.chat('One more');
      expect((await stage.plan(8)).summaries).toEqual([]);
      for (let n = 0; n < 4; n += 1) await stage.chat(`The oak table of order ${n} is early`);
      const [old] = await summaries();
      const second = await stage.consolidate('c2', 8);
      expect(second).toMatchObject({
        archive: [{ id: old?.id, replaced: true }],
        summaries: [{ messages: 13 }],
      });
      expect(await stage.undo('c2')).toBe(1);
      expect(idsOf(await summaries())).toEqual([old?.id]);
      // A summary that somebody has changed is theirs.
      await stage.graph.update(old?.id ?? '', { weight: 0.9 });
      expect(await stage.plan(8)).toMatchObject({ archive: [], summaries: [{ messages: 13 }] });
      await stage.undo('c1');
      expect(idsOf(await summaries())).toEqual([old?.id]);
    });

    test('a summary counts although it was made after the messages that were looked at', async () => {
      for (let n = 0; n < 8; n += 1) await stage.chat(`The oak shelves of order ${n} are late`);
      const before = START + stage.clock;
      const planned = () => stage.consolidations.plan(USER, { before, longSession: 8 });
      const { summaries } = await planned();
      expect(summaries).toMatchObject([{ messages: 8 }]);
      stage.clock += 60_000;
      await stage.consolidations.summarise({ ...named('c1'), summaries });
      expect((await planned()).summaries).toEqual([]);
    });
  });
}
