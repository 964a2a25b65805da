import { ulid } from 'ulid';
import type { MemoryGraph } from '../../src/stores/memory/memory-graph';
import type { NewRelation, RelatedMemory } from '../../src/stores/memory/node';
import { add, addAll, episodic, refused, semantic } from './support/memories';
import type { MemoryGraphHarness } from './support/memory-harness';

const related = (id: string): NewRelation => ({ type: 'related', direction: 'out', id });
const similar = (id: string): NewRelation => ({ type: 'similar', direction: 'out', id });
const parent = (id: string): NewRelation => ({ type: 'parent', direction: 'out', id });
const child = (id: string): NewRelation => ({ type: 'parent', direction: 'in', id });

export function describeRelations(harness: () => MemoryGraphHarness): void {
  describe('relations', () => {
    let graph: MemoryGraph;
    let event: string, a: string, b: string, c: string;
    beforeEach(async () => {
      graph = harness().connect();
      const nodes = [episodic(), semantic(), semantic(), semantic()];
      [event, a, b, c] = (await addAll(graph, nodes)) as [string, string, string, string];
    });

    const relate = (id: string, ...relations: NewRelation[]): Promise<unknown> =>
      graph.update(id, { relations });
    const sorted = (ids: string[], relationship: RelatedMemory['relationship']): RelatedMemory[] =>
      [...ids].sort().map((id) => ({ id, relationship }));

    it('are told from both ends, whichever end tied them', async () => {
      const fact = semantic();
      const relations = [related(event), similar(a), parent(b), child(c)];
      await add(graph, fact, { relations });
      expect(await harness().connect().related(fact.id)).toEqual([
        { id: c, relationship: 'child' },
        { id: b, relationship: 'parent' },
        { id: event, relationship: 'related' },
        { id: a, relationship: 'similar' },
      ]);
      expect(await graph.related(event)).toEqual([{ id: fact.id, relationship: 'related' }]);
      expect(await graph.related(a)).toEqual([{ id: fact.id, relationship: 'similar' }]);
      expect(await graph.related(b)).toEqual([{ id: fact.id, relationship: 'child' }]);
      expect(await graph.related(c)).toEqual([{ id: fact.id, relationship: 'parent' }]);
    });

    it('come after the neighbours, by relationship and id', async () => {
      const [before, after] = [episodic(), episodic()];
      await add(graph, before, { placement: { before: event } });
      await add(graph, after);
      await relate(event, related(c), related(a), related(b));
      expect(await graph.related(event)).toEqual([
        { id: before.id, relationship: 'previous' },
        { id: after.id, relationship: 'next' },
        ...sorted([a, b, c], 'related'),
      ]);
      const many = await graph.relatedOfMany([event, b]);
      expect(many.get(event)).toEqual(await graph.related(event));
      expect(many.get(b)).toEqual([{ id: event, relationship: 'related' }]);
    });

    it('of kinds that a change does not name stay, also those that another memory has just tied', async () => {
      const d = semantic();
      await add(graph, d, { relations: [related(event), similar(a), parent(b), child(c)] });
      const ties = async () =>
        (await graph.related(d.id)).map(({ id, relationship }) => [relationship, id] as const);
      await relate(a, related(d.id), similar(d.id));
      await graph.update(d.id, { relations: [], replacedRelations: ['child'] });
      expect(await ties()).toEqual([
        ['parent', b],
        ...[a, event].sort().map((id) => ['related', id]),
        ['similar', a],
      ]);
      await graph.update(d.id, { relations: [parent(c)], replacedRelations: ['parent', 'related'] });
      expect(await ties()).toEqual([
        ['parent', c],
        ['similar', a],
      ]);
      await graph.update(d.id, { relations: [child(b)], replacedRelations: ['similar', 'child'] });
      expect(await ties()).toEqual([
        ['child', b],
        ['parent', c],
      ]);
      const circle = graph.update(d.id, { relations: [child(c)], replacedRelations: ['child'] });
      await expect(circle).rejects.toMatchObject(refused('parent'));
    });

    it('are tied once, however often and from wherever', async () => {
      await relate(a, related(b), related(b), { ...related(b), direction: 'in' }, similar(b));
      await relate(b, related(a), similar(a));
      expect(await graph.related(a)).toEqual([
        { id: b, relationship: 'related' },
        { id: b, relationship: 'similar' },
      ]);
    });

    it('are replaced as a whole by an update that brings some, and stay through one that brings none', async () => {
      await relate(a, related(event), similar(b), parent(c));
      await graph.update(a, { weight: 0.1 });
      expect(await graph.related(a)).toHaveLength(3);
      await relate(a, similar(c));
      expect(await graph.related(a)).toEqual([{ id: c, relationship: 'similar' }]);
      expect(await graph.related(event)).toEqual([]);
      await relate(a);
      expect(await graph.related(c)).toEqual([]);
    });

    it('do not raise the revision of the other end', async () => {
      await relate(a, related(b), child(c));
      const found = await graph.getMany([a, b, c]);
      expect([a, b, c].map((id) => found.get(id)?.revision)).toEqual([2, 1, 1]);
    });

    it('let a child leave the parent it had', async () => {
      await relate(a, child(c));
      await relate(b, child(c));
      expect(await graph.related(a)).toEqual([]);
      expect(await graph.related(c)).toEqual([{ id: b, relationship: 'parent' }]);
      await relate(c, parent(a));
      expect(await graph.related(b)).toEqual([]);
      expect(await graph.related(a)).toEqual([{ id: c, relationship: 'child' }]);
    });

    it('end with either memory', async () => {
      await relate(a, related(event), similar(b), child(c));
      await graph.delete(a);
      for (const id of [event, b, c]) expect(await graph.related(id)).toEqual([]);
      await relate(b, related(event));
      await graph.delete(event);
      expect(await graph.related(b)).toEqual([]);
    });

    it('are refused to what is not there, foreign, or itself', async () => {
      const foreign = semantic({ userId: 'bob' });
      await add(graph, foreign);
      for (const id of [ulid(), foreign.id, a]) {
        await expect(relate(a, related(id))).rejects.toMatchObject(refused('related'));
        await expect(relate(a, similar(id))).rejects.toMatchObject(refused('similar'));
        await expect(relate(a, parent(id))).rejects.toMatchObject(refused('parent'));
        await expect(relate(a, child(id))).rejects.toMatchObject(refused('children'));
      }
      const own = semantic();
      await expect(add(graph, own, { relations: [related(own.id)] })).rejects.toMatchObject(
        refused('related'),
      );
      expect(await graph.get(own.id)).toBeUndefined();
      expect(await graph.related(a)).toEqual([]);
    });

    it('are refused between kinds that they do not go between', async () => {
      await expect(relate(a, similar(event))).rejects.toMatchObject(refused('similar'));
      await expect(relate(a, parent(event))).rejects.toMatchObject(refused('parent'));
      await expect(relate(a, child(event))).rejects.toMatchObject(refused('children'));
      await expect(relate(event, similar(a))).rejects.toMatchObject(refused('similar'));
      await expect(relate(event, parent(a))).rejects.toMatchObject(refused('parent'));
      await expect(relate(event, child(a))).rejects.toMatchObject(refused('children'));
    });

    it('are refused where there would be two parents', async () => {
      await expect(relate(a, parent(b), parent(c))).rejects.toMatchObject(refused('parent'));
      await relate(a, parent(b), parent(b));
      expect(await graph.related(a)).toEqual([{ id: b, relationship: 'parent' }]);
    });

    it('never go in a circle of parents', async () => {
      await relate(a, parent(b));
      await relate(b, child(a), parent(c));
      await expect(relate(c, child(b), parent(a))).rejects.toMatchObject(refused('parent'));
      await expect(relate(a, child(c), parent(b))).rejects.toMatchObject(refused('parent'));
      await expect(relate(a, child(b), parent(b))).rejects.toMatchObject(refused('parent'));
      const relations = [child(c), parent(a)];
      await expect(add(graph, semantic(), { relations })).rejects.toMatchObject(refused('parent'));
      expect(await graph.related(c)).toEqual([{ id: b, relationship: 'child' }]);
      // A relation that an update removes cannot close a circle any more.
      await relate(b, parent(a));
      expect(await graph.related(b)).toEqual([{ id: a, relationship: 'parent' }]);
      expect(await graph.related(a)).toEqual([{ id: b, relationship: 'child' }]);
      expect(await graph.related(c)).toEqual([]);
    });

    it('leave nothing of an update that was refused', async () => {
      await relate(a, similar(b));
      const change = { weight: 0.9, labels: ['x'], relations: [related(event), related(ulid())] };
      await expect(graph.update(a, change)).rejects.toMatchObject(refused('related'));
      expect(await graph.related(a)).toEqual([{ id: b, relationship: 'similar' }]);
      expect(await graph.related(event)).toEqual([]);
      expect(await graph.get(a)).toMatchObject({ weight: 0.5, labels: ['nature'], revision: 2 });
    });
  });
}
