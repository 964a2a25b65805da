import { createMemoryExport } from '../../../../src/memory/service/export';
import type { ExportedMemory } from '../../../../src/contracts/http/memory';
import type { MemoryGraph } from '../../../../src/stores/memory/memory-graph';
import { add, episodic, type NodeFields, semantic, TIME } from '../../../contract/support/memories';
import { temporaryFolder } from '../../../contract/support/temporary-folder';
import { createMemoryGraph } from '../../../../src/factories/create-stores';

const folder = temporaryFolder();
let graph: MemoryGraph;

beforeAll(() => {
  graph = createMemoryGraph({ DATA_DIR: folder.file('.'), neo4j: undefined });
});
afterAll(async () => {
  await graph.close();
  folder.remove();
});

const never = new AbortController().signal;
const event = (userId: string, n: number, fields: NodeFields = {}) =>
  episodic({
    userId,
    timestamp: TIME + n,
    body: { content: `event ${n}`, context: {}, metadata: {} },
    ...fields,
  });
const concept = (userId: string, n: number) =>
  semantic({
    userId,
    timestamp: TIME + n,
    body: { concept: `concept ${n}`, description: '', metadata: {} },
  });

async function collect(
  userId: string,
  between: (item: ExportedMemory, seen: number) => Promise<void> | void = () => undefined,
): Promise<ExportedMemory[]> {
  const items: ExportedMemory[] = [];
  for await (const item of createMemoryExport(graph)(userId, never)) {
    items.push(item);
    await between(item, items.length);
  }
  return items;
}
const idsIn = (items: readonly ExportedMemory[]) =>
  items.flatMap((item) => (item.kind === 'end' ? [] : [item.id]));

test('of nobody is an end alone', async () => {
  expect(await collect('nobody')).toEqual([{ kind: 'end', episodic: 0, semantic: 0 }]);
});

test('has both kinds in their order, with relations, and the end', async () => {
  const before = await add(graph, event('bea', 1));
  const concepts = [await add(graph, concept('bea', 3)), await add(graph, concept('bea', 2))];
  const after = await add(graph, event('bea', 2), {
    relations: [{ type: 'related', direction: 'out', id: concepts[0]?.id ?? '' }],
  });
  await add(graph, event('not bea', 1));
  const items = await collect('bea');
  expect(items).toMatchObject([
    { kind: 'episodic', id: before.id, content: 'event 1', relationships: { next: after.id } },
    { kind: 'episodic', id: after.id, relationships: { previous: before.id, related: [concepts[0]?.id] } },
    { kind: 'semantic', id: concepts[1]?.id, concept: 'concept 2' },
    { kind: 'semantic', id: concepts[0]?.id, relationships: { related: [after.id] } },
    { kind: 'end', episodic: 2, semantic: 2 },
  ]);
});

test('has what was there and stays exactly once, and ends, however fast others are made and deleted', async () => {
  const ids: string[] = [];
  // Several memories have the same time, so that pages end between equal ones.
  for (let n = 0; n < 240; n += 1) ids.push((await add(graph, event('cay', Math.floor(n / 7)))).id);
  const doomed = ids.filter((_, at) => at % 11 === 0);
  const staying = ids.filter((id) => !doomed.includes(id));
  const later = new Set<string>();
  const items = await collect('cay', async (_, seen) => {
    const behind = await add(graph, event('cay', 1_000 + seen));
    later.add(behind.id);
    later.add((await add(graph, event('cay', seen % 34))).id);
    const gone = doomed.pop();
    if (gone !== undefined) await graph.delete(gone);
  });
  const found = idsIn(items);
  expect(new Set(found).size).toBe(found.length);
  expect(staying.filter((id) => !found.includes(id))).toEqual([]);
  expect(items.at(-1)).toEqual({ kind: 'end', episodic: found.length, semantic: 0 });
  expect(found.length).toBeLessThan(ids.length + later.size);
});

test('reads no page that nobody asks for', async () => {
  let lists = 0;
  const counted: Pick<MemoryGraph, 'list' | 'relatedOfMany'> = {
    list: (query) => {
      lists += 1;
      return graph.list(query);
    },
    relatedOfMany: (ids) => graph.relatedOfMany(ids),
  };
  const items = createMemoryExport(counted)('cay', never);
  await items.next();
  expect(lists).toBe(3);
  await items.return(undefined);
  expect(lists).toBe(3);
});

test('ends with what its signal says', async () => {
  const caller = new AbortController();
  const items = createMemoryExport(graph)('cay', caller.signal);
  await items.next();
  const reason = new Error('gone');
  caller.abort(reason);
  const rest = async (): Promise<void> => {
    for await (const item of items) expect(item.kind).not.toBe('end');
  };
  await expect(rest()).rejects.toBe(reason);
});
