import { ulid } from 'ulid';
import type { MemoryGraph, UserMemories } from '../../src/stores/memory/memory-graph';
import { tenantMemories, tenantUsers } from '../../src/stores/tenants/tenant-memories';
import { add, episodic, pinSpace, scopeOf, semantic } from './support/memories';
import type { MemoryGraphHarness } from './support/memory-harness';

const TENANTS = ['default', 'acme', 'acme-2'];

/** What a graph does for several tenants, each with users of the same names. */
export function describeTenants(harness: () => MemoryGraphHarness): void {
  describe('tenants', () => {
    let graph: MemoryGraph;
    let tenants: Map<string, UserMemories>;
    const of = (tenant: string): UserMemories => tenants.get(tenant) ?? tenantMemories(graph, tenant);
    beforeEach(() => {
      graph = harness().connect();
      tenants = new Map(TENANTS.map((tenant) => [tenant, tenantMemories(graph, tenant)]));
    });

    const addTo = async (tenant: string, text: string): Promise<string> => {
      const { id, userId } = await of(tenant).insert({ node: episodic({ text }), vector: null });
      expect(userId).toBe('ann');
      return id;
    };

    it('see only their own memories, under the names that they use', async () => {
      const vectorAt = await pinSpace(graph);
      const { spaceId, values: vector } = vectorAt(0);
      for (const tenant of TENANTS) {
        const node = semantic({ text: `a walk of ${tenant}`, labels: [tenant] });
        await of(tenant).insert({ node, vector: vectorAt(0) });
        await addTo(tenant, `an event of ${tenant}`);
      }
      for (const tenant of TENANTS) {
        const own = of(tenant);
        for (const kind of ['episodic', 'semantic'] as const) {
          const listed = await own.list({ ...scopeOf(kind), order: 'newest-first', limit: 10 });
          expect(listed.map(({ userId }) => userId)).toEqual(['ann']);
          expect(listed[0]?.text).toContain(`of ${tenant}`);
          expect(await own.count(scopeOf(kind))).toBe(1);
          const hits = await own.searchText({ ...scopeOf(kind), text: 'walk event', limit: 10 });
          expect(hits.map(({ id }) => id)).toEqual([listed[0]?.id]);
        }
        expect(await own.searchVectors({ ...scopeOf('semantic'), spaceId, vector, limit: 10 })).toHaveLength(
          1,
        );
        expect(await own.stats('ann')).toMatchObject({
          episodic: { count: 1 },
          semantic: { count: 1 },
          categories: [tenant],
        });
      }
    });

    it('list the sessions of their own users alone', async () => {
      for (const tenant of TENANTS)
        await of(tenant).insert({ node: episodic({ sessionId: `of ${tenant}` }), vector: null });
      for (const tenant of TENANTS)
        expect(await of(tenant).listSessions('ann', { limit: 10 })).toMatchObject([
          { sessionId: `of ${tenant}`, memories: 1 },
        ]);
    });

    it('list their own users alone, page by page', async () => {
      const names = ['ann', 'ben', 'cleo', '!'];
      for (const tenant of TENANTS)
        for (const userId of tenant === 'acme' ? names : names.slice(1))
          await of(tenant).insert({ node: episodic({ userId }), vector: null });
      const listed = async (tenant: string, limit: number): Promise<string[]> => {
        const { listUsers } = tenantUsers(graph, tenant);
        const all: string[] = [];
        for (;;) {
          const last = all.at(-1);
          const page = await listUsers('episodic', {
            limit,
            ...(last === undefined ? {} : { after: last }),
          });
          all.push(...page);
          if (page.length < limit) return all;
        }
      };
      for (const limit of [1, 2, 10]) {
        expect(await listed('acme', limit)).toEqual(['!', 'ann', 'ben', 'cleo']);
        for (const tenant of ['default', 'acme-2'])
          expect(await listed(tenant, limit)).toEqual(['!', 'ben', 'cleo']);
      }
      expect(await tenantUsers(graph, 'globex').listUsers('episodic', { limit: 10 })).toEqual([]);
      expect(await tenantUsers(graph, 'acme').listUsers('semantic', { limit: 10 })).toEqual([]);
    });

    it('have no memories of another tenant, whose ids they know', async () => {
      for (const owner of TENANTS) {
        const id = await addTo(owner, 'a secret');
        for (const other of TENANTS.filter((tenant) => tenant !== owner)) {
          expect(await of(other).get(id)).toBeUndefined();
          expect(await of(other).getMany([id])).toEqual(new Map());
          expect(await of(other).update(id, { text: 'changed' })).toBeUndefined();
          expect(await of(other).delete(id)).toBeUndefined();
          const relations = [{ type: 'related', direction: 'out', id }] as const;
          await expect(of(other).insert({ node: episodic(), vector: null, relations })).rejects.toMatchObject(
            { code: 'VALIDATION' },
          );
          await expect(of(other).insert({ node: episodic({ id }), vector: null })).rejects.toMatchObject({
            code: 'VALIDATION',
          });
        }
        expect(await of(owner).get(id)).toMatchObject({ id, userId: 'ann', text: 'a secret' });
        expect((await of(owner).getMany([id])).get(id)?.userId).toBe('ann');
      }
    });

    it('change and delete their own', async () => {
      for (const tenant of TENANTS) {
        const id = await addTo(tenant, 'before');
        expect(await of(tenant).update(id, { text: 'after' })).toMatchObject({
          userId: 'ann',
          text: 'after',
        });
        expect(await of(tenant).delete(id, { ifRevision: 1 })).toBeUndefined();
        expect(await of(tenant).delete(id)).toMatchObject({ userId: 'ann' });
        expect(await of(tenant).get(id)).toBeUndefined();
      }
    });

    it('erase their own user alone', async () => {
      for (const tenant of TENANTS) await addTo(tenant, 'stays or goes');
      const acme = of('acme');
      await acme.beginErasure('ann');
      await expect(acme.insert({ node: episodic(), vector: null })).rejects.toMatchObject({
        code: 'MEMORY_ERASING',
      });
      await addTo('default', 'meanwhile');
      expect(await acme.eraseSome('ann', 10)).toMatchObject({ episodic: 1 });
      await acme.endErasure('ann');
      const counts = await Promise.all(TENANTS.map((tenant) => of(tenant).count(scopeOf('episodic'))));
      expect(counts).toEqual([2, 0, 1]);
    });

    it('cannot be reached by a name of the default tenant that looks like one of theirs', async () => {
      const id = await addTo('acme', 'a secret');
      const [stored] = await graph.listUsers('episodic', { limit: 1 });
      const forged = { ...episodic({ id: ulid() }), userId: stored ?? '' };
      expect(forged.userId).not.toBe('ann');
      await expect(of('default').insert({ node: forged, vector: null })).rejects.toMatchObject({
        code: 'VALIDATION',
      });
      const scope = { ...scopeOf('episodic'), userId: forged.userId };
      const text = { ...scope, text: 'secret', limit: 1 };
      // Each call has to return a promise before it fails.
      const refused = [
        of('default').stats(forged.userId),
        of('default').count(scope),
        of('default').list({ ...scope, order: 'newest-first', limit: 1 }),
        of('default').searchText(text),
        of('default').searchVectors({ ...scope, spaceId: 1, vector: new Float32Array(1), limit: 1 }),
        of('default').beginErasure(forged.userId),
      ];
      for (const { status } of await Promise.allSettled(refused)) expect(status).toBe('rejected');
      expect(await of('acme').get(id)).toBeDefined();
    });

    it('leave what the graph had before there were tenants to the default one', async () => {
      const before = await add(graph, episodic({ text: 'from before' }));
      expect(await of('default').get(before.id)).toEqual(before);
      expect(await of('acme').get(before.id)).toBeUndefined();
    });
  });
}
