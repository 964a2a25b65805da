import { Readable } from 'node:stream';
import type { MemoryImportCounts } from '../../src/contracts/http/memory-imports';
import { newId } from '../../src/base/ids';
import { IMPORT_BEGINS, type MemoryImportInput } from '../../src/contracts/runs/memory-import';
import { createLexicalEmbedder } from '../../src/embeddings/lexical/lexical-embedder';
import { createMemoryImportFiles } from '../../src/imports/create-import-files';
import type { ImportFiles } from '../../src/imports/import-files';
import { importMemoriesStep } from '../../src/memory/import/import-step';
import { createMemoryImports, type MemoryImports } from '../../src/memory/import/memory-imports';
import { createRedrawPage } from '../../src/memory/upkeep/redraw';
import { createOpenSpaces } from '../../src/memory/vectors/vector-spaces';
import { createPseudonyms } from '../../src/secrets/pseudonyms';
import { FolderBlobs } from '../../src/stores/blobs/folder-blobs';
import type { UserMemories } from '../../src/stores/memory/memory-graph';
import { tenantMemories } from '../../src/stores/tenants/tenant-memories';
import { makeTempDir, type TempDir } from '../support/temp-dir';
import {
  type ConsolidationStage,
  openConsolidationStage,
  type OpenedStores,
  RULES,
  START,
  USER,
} from './support/consolidation-stage';

const embedder = createLexicalEmbedder(64);
const pseudonyms = createPseudonyms(Buffer.alloc(32, 3));

/** What imports must do on every store of memories and documents. @param open opens empty stores */
export function describeMemoryImports(name: string, open: () => Promise<OpenedStores>): void {
  describe(`imports of memories on ${name}`, () => {
    let dir: TempDir;
    let stores: OpenedStores;
    let stage: ConsolidationStage;
    let files: ImportFiles<MemoryImportCounts>;

    beforeEach(async () => {
      dir = makeTempDir();
      stores = await open();
      stage = openConsolidationStage(stores.graph, stores.documents);
      files = createMemoryImportFiles(
        new FolderBlobs(dir.path),
        {
          ...{ RECORDS_IMPORT_MAX_BYTES: 1, MEMORY_IMPORT_MAX_BYTES: 10_000_000 },
          ...{ MEMORY_IMPORT_MAX_LINES: 10_000, MAX_BODY_BYTES: 100_000 },
        },
        { tenant: 'default', user: 'a-pseudonym' },
      );
    });
    afterEach(async () => {
      await stores.dispose();
      dir.remove();
    });

    function importsOn(graph: UserMemories = stores.graph, more: { quota?: number } = {}): MemoryImports {
      const spaces = createOpenSpaces(stores.graph, {
        choose: () => Promise.resolve(embedder),
        find: () => embedder,
      });
      const { facts, log, archive } = stage;
      return createMemoryImports({
        ...{ graph, spaces, facts, hasSemantic: true, maxContentLength: 1_000, ...more },
        redrawPage: createRedrawPage({ graph, log, archive, rules: RULES }),
        derive: (text) => pseudonyms('imported', text),
      });
    }

    async function begin(lines: readonly object[], userId = USER): Promise<MemoryImportInput> {
      const importId = newId();
      const startedAt = new Date(START).toISOString();
      const upload = await files.receive(
        Readable.from([Buffer.from(lines.map((line) => JSON.stringify(line)).join('\n'))]),
      );
      await files.keep(importId, upload, { startedAt, run: { namespaceId: 'here', workflowId: importId } });
      return { ...IMPORT_BEGINS, userId, importId, startedAt };
    }

    /** Takes all steps, each twice, as when its outcome was lost. @returns the numbers that are not zero, and the errors */
    async function finish(input: MemoryImportInput, imports = importsOn()) {
      for (let current = { ...input, done: false }; !current.done;) {
        const step = await importMemoriesStep(files, imports, current);
        expect(await importMemoriesStep(files, imports, current)).toEqual(step);
        current = { ...current, ...step };
      }
      const { rows, created, present, failed, renamed, unrelated, errors, state } = (await files.report(
        input.importId,
      ))!;
      expect([state, created + present + failed]).toEqual(['completed', rows]);
      const counts = Object.entries({ created, present, failed, renamed, unrelated }).filter(
        ([, count]) => count > 0,
      );
      return {
        ...Object.fromEntries(counts),
        errors: errors.map(({ line, message }) => `${line}: ${message}`),
      };
    }
    const importAll = async (lines: readonly object[], imports = importsOn(), userId = USER) =>
      finish(await begin(lines, userId), imports);

    const said = (content: string, timestamp: string, more: object = {}) => ({
      ...{ role: 'user', content, timestamp, sessionId: 'monday' },
      ...more,
    });
    const concept = (id: string, relationships: object = {}) => ({
      ...{ kind: 'semantic', id, concept: id, description: 'x', relationships },
    });
    const contents = async (userId = USER): Promise<unknown[]> =>
      (await stores.graph.list({ userId, kind: 'episodic', order: 'oldest-first', limit: 100 })).map(
        ({ body }) => body['content'],
      );

    test('the same lines create nothing twice, and what is said again at its time is another message', async () => {
      const lines = [
        said('yes', '2024-01-01T10:00:00Z'),
        said('Sure?', '2024-01-01T10:00:00Z', { role: 'assistant' }),
        said('yes', '2024-01-01T10:00:00Z'),
        said('no', '2024-01-02T10:00:00Z'),
        said('yes', '2024-01-01T10:00:00Z'),
      ];
      expect(await importAll(lines)).toEqual({ created: 4, present: 1, errors: [] });
      expect(await importAll(lines)).toEqual({ present: 5, errors: [] });
      expect(await contents()).toEqual(['yes', 'yes', 'Sure?', 'no']);
    });

    test('messages have their places by their times, whatever the order of lines, with what is there', async () => {
      await stage.say('now');
      const lines = ['5', '1', '4', '2', '3'].map((n) => said(n, `2024-01-0${n}T10:00:00Z`));
      await importAll(lines);
      const nodes = await stores.graph.list({
        userId: USER,
        kind: 'episodic',
        order: 'oldest-first',
        limit: 9,
      });
      expect(nodes.map(({ body }) => body['content'])).toEqual(['1', '2', '3', '4', '5', 'now']);
      const places = await stores.graph.neighbours(nodes.map(({ id }) => id));
      expect(nodes.map(({ id }) => places.get(id)?.next)).toEqual([
        ...nodes.slice(1).map(({ id }) => id),
        undefined,
      ]);
    });

    test('facts are those of their times: what is said last holds', async () => {
      await stage.say('I live in York.');
      const lines = [
        said('I live in Hull.', '2023-01-01T10:00:00Z'),
        said('I live in Leeds.', '2022-01-01T10:00:00Z'),
      ];
      const answer = said('I live in Bath.', '2025-01-01T10:00:00Z', { role: 'assistant' });
      await importAll([...lines, answer]);
      const homes = (await stage.facts.list(USER)).map(({ value, validTo }) => [
        value,
        validTo && new Date(validTo).getUTCFullYear(),
      ]);
      expect(homes).toEqual([
        ['Leeds', 2023],
        ['Hull', 2026],
        ['York', undefined],
      ]);
    });

    test('an id that somebody else has becomes another one, the same each time, and theirs stays as it is', async () => {
      const [mine, theirs, foreign] = [newId(), newId(), newId()];
      const event = (id: string, related: readonly string[]) => ({
        ...{ kind: 'episodic', id, sessionId: 's', content: id, relationships: { related } },
        timestamp: '2024-01-01T10:00:00Z',
      });
      const lines = [event(mine, [theirs]), event(theirs, [mine, foreign]), event(foreign, [theirs])];
      await importAll(lines.slice(1, 2), importsOn(), 'bob');
      const globex = tenantMemories(stores.graph, 'globex');
      await importAll(lines.slice(2), importsOn(globex));
      const before = await Promise.all([theirs, foreign].map((id) => stores.graph.get(id)));

      expect(await importAll(lines)).toEqual({ created: 3, renamed: 2, errors: [] });
      expect(await importAll(lines)).toEqual({ present: 3, errors: [] });
      expect(await Promise.all([theirs, foreign].map((id) => stores.graph.get(id)))).toEqual(before);
      const nodes = await stores.graph.list({
        userId: USER,
        kind: 'episodic',
        order: 'oldest-first',
        limit: 9,
      });
      const of = (content: string): string => nodes.find(({ body }) => body['content'] === content)?.id ?? '';
      expect([of(mine), new Set([theirs, foreign, of(theirs), of(foreign)]).size]).toEqual([mine, 4]);
      const related = async (id: string) =>
        (await stores.graph.related(id))
          .filter(({ relationship }) => relationship === 'related')
          .map((each) => each.id);
      expect(await related(mine)).toEqual([of(theirs)]);
      expect((await related(of(theirs))).sort()).toEqual([mine, of(foreign)].sort());
      // Once theirs is gone, the memory in its place is still that of the line.
      await stores.graph.delete(theirs);
      expect(await importAll(lines)).toEqual({ present: 3, errors: [] });
    });

    test('relations are added, also to later lines, and none is taken away', async () => {
      const [a, b, c, d, e] = Array.from({ length: 5 }, newId) as [string, string, string, string, string];
      const lines = [
        concept(a, { children: [b, c], similar: [d] }),
        concept(b),
        concept(c, { parent: a }),
        concept(d, { related: [newId()] }),
      ];
      const lost = '4: relationships.related names no memory of this user';
      expect(await importAll(lines)).toEqual({ created: 4, unrelated: 1, errors: [lost] });
      const tiesOf = async (id: string) =>
        (await stores.graph.related(id)).map((each) => `${each.relationship} ${each.id}`).sort();
      const family = [`child ${b}`, `child ${c}`, `similar ${d}`].sort();
      expect(await tiesOf(a)).toEqual(family);
      expect(
        await importAll([
          concept(e, { children: [b] }),
          concept(b, { parent: e }),
          concept(a, { parent: c }),
        ]),
      ).toEqual({
        created: 1,
        present: 2,
        unrelated: 3,
        errors: [
          '1: relationships.children names a memory that has another parent',
          '2: relationships.parent names a memory that has another parent',
          expect.stringContaining('3: relationships.parent'),
        ],
      });
      expect(await tiesOf(a)).toEqual(family);
      expect(await tiesOf(b)).toEqual([`parent ${a}`]);
    });

    test('lines that cannot become memories are reported one by one, and so is an export that is not whole', async () => {
      const lines = [
        said('fine', '2024-01-01T10:00:00Z'),
        { ...said('no', '2024-01-01T10:00:00Z'), role: 'robot' },
        concept(newId()),
        { kind: 'end', episodic: 0, semantic: 1 },
        concept(newId()),
        { kind: 'end', episodic: 1, semantic: 1 },
      ];
      const input = await begin(lines);
      let current = { ...input, done: false };
      while (!current.done)
        current = { ...current, ...(await importMemoriesStep(files, importsOn(), current)) };
      const report = await files.report(input.importId);
      expect(report).toMatchObject({ rows: 6, created: 3, failed: 2 });
      expect(report?.errors.map(({ line }) => line)).toEqual([2, 6]);
      const full = importsOn(stores.graph, { quota: 2 });
      const more = ['2', '3'].map((n) => said(n, `2024-02-0${n}T10:00:00Z`));
      expect(await importAll(more, full)).toMatchObject({ created: 1, failed: 1 });
    });

    test('a step that was given up, or whose user is erased, stores nothing more', async () => {
      const input = await begin([said('I live in Hull.', '2023-01-01T10:00:00Z')]);
      const reason = new Error('given up');
      await expect(importMemoriesStep(files, importsOn(), input, AbortSignal.abort(reason))).rejects.toBe(
        reason,
      );
      await stores.graph.beginErasure(USER);
      await expect(importMemoriesStep(files, importsOn(), input)).rejects.toMatchObject({
        code: 'MEMORY_ERASING',
      });
      await stores.graph.endErasure(USER);
      expect(await contents()).toEqual([]);
      const first = await importMemoriesStep(files, importsOn(), input);
      await files.forget(input.importId);
      await expect(importMemoriesStep(files, importsOn(), { ...input, ...first })).rejects.toMatchObject({
        code: 'IMPORT_NOT_FOUND',
      });
      expect(await files.report(input.importId)).toBeUndefined();
    });
  });
}
