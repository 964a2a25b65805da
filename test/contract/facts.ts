import type { FactSource, SaidFact } from '../../src/contracts/facts';
import { createFactLog, type FactLog } from '../../src/memory/facts/fact-log';
import { createFacts, type Facts } from '../../src/memory/facts/facts';
import type { DrawnFact } from '../../src/memory/facts/model/ask';
import { createModelFacts, type ModelFacts } from '../../src/memory/facts/model/model-facts';
import { createPseudonyms } from '../../src/secrets/pseudonyms';
import { createSecretBox, KEY_BYTES } from '../../src/secrets/secret-box';
import type { DocumentStore } from '../../src/stores/documents';
import type { DocumentStoreHarness } from './support/harness';

const KEY = Buffer.alloc(KEY_BYTES, 7);
const AT = Date.parse('2026-01-02T03:04:05.678Z');

const home = (value: string): SaidFact => ({
  subject: 'user',
  attribute: 'home',
  value,
  change: 'holds',
  single: true,
  start: 0,
  end: value.length,
});

/** What every store of documents must do with facts. @param open opens an empty store */
export function describeFacts(name: string, open: () => Promise<DocumentStoreHarness>): void {
  describe(`facts on ${name}`, () => {
    let harness: DocumentStoreHarness;
    let documents: DocumentStore;
    let log: FactLog;
    let facts: Facts;
    let ids: number;

    beforeEach(async () => {
      harness = await open();
      documents = harness.connect();
      const pseudonyms = createPseudonyms(KEY);
      log = createFactLog({
        documents,
        secrets: createSecretBox(KEY),
        pseudonym: (userId) => pseudonyms('facts', userId),
      });
      ids = 0;
      // A rule as simple as can be: the whole text is the user's home.
      const rules = { readFacts: (text: string) => (text === '' ? [] : [home(text)]) };
      facts = createFacts({ log, rules, newId: () => `z${(ids += 1)}`, now: () => AT + 1_000 });
    });
    afterEach(() => harness.dispose());

    const draw = (memoryId: string, text: string, at: number, userId = 'ada'): Promise<void> =>
      facts.draw({ userId, memoryId, text, at });
    const values = async (userId = 'ada'): Promise<[string, boolean][]> =>
      (await facts.list(userId)).map(({ value, validTo }) => [value, validTo === undefined]);

    test('what a memory says supersedes what was said before it, whichever is stored first', async () => {
      await draw('m2', 'York', AT + 2);
      await draw('m1', 'Leeds', AT + 1);
      expect(await facts.list('ada')).toMatchObject([
        { id: 'm1-0', value: 'Leeds', validFrom: AT + 1, validTo: AT + 2, supersededBy: 'm2-0' },
        { id: 'm2-0', value: 'York', validFrom: AT + 2, learnedAt: AT + 2, sources: [{ memoryId: 'm2' }] },
      ]);
      expect(await facts.list('ben')).toEqual([]);
    });

    test('a repeat changes nothing, a changed text replaces, and a memory that is gone leaves what was before', async () => {
      await draw('m1', 'Leeds', AT);
      await draw('m2', 'York', AT + 1);
      await draw('m2', 'York', AT + 1);
      expect(await values()).toEqual([
        ['Leeds', false],
        ['York', true],
      ]);
      await draw('m2', 'Hull', AT + 1);
      expect(await values()).toEqual([
        ['Leeds', false],
        ['Hull', true],
      ]);
      await facts.forget('ada', 'm2');
      expect(await values()).toEqual([['Leeds', true]]);
      await draw('m1', '', AT);
      expect(await values()).toEqual([]);
    });

    test('a correction holds from the beginning of the fact, and a retraction brings back what it superseded', async () => {
      await draw('m1', 'Leeds', AT);
      await draw('m2', 'York', AT + 1);
      const corrected = await facts.correct('ada', 'm2-0', 'Hull');
      expect(corrected).toMatchObject({ value: 'Hull', validFrom: AT + 1, learnedAt: AT + 1_000 });
      expect(await facts.list('ada')).toMatchObject([
        { value: 'Leeds', supersededBy: corrected.id },
        { value: 'York', neverHeld: true, supersededBy: corrected.id },
        { value: 'Hull', sources: [{ correctedAt: AT + 1_000 }] },
      ]);
      expect(await facts.retract('ada', corrected.id)).toMatchObject({ value: 'Hull', neverHeld: true });
      expect((await values()).filter(([, holds]) => holds)).toEqual([['Leeds', true]]);
      await expect(facts.correct('ada', 'm9-0', 'Hull')).rejects.toMatchObject({ code: 'FACT_NOT_FOUND' });
      await expect(facts.retract('ben', 'm1-0')).rejects.toMatchObject({ code: 'FACT_NOT_FOUND' });
    });

    test('what others store while a source is changed stays', async () => {
      const beside = (happens: () => Promise<unknown>): Facts => {
        let happened = false;
        const get: DocumentStore['get'] = async <T>(collection: string, key: string) => {
          const found = await documents.get<T>(collection, key);
          if (!happened) {
            happened = true;
            await happens();
          }
          return found;
        };
        const { list, write } = documents;
        const pseudonyms = createPseudonyms(KEY);
        const slow = createFactLog({
          documents: { get, list: list.bind(documents), write: write.bind(documents) },
          secrets: createSecretBox(KEY),
          pseudonym: (userId) => pseudonyms('facts', userId),
        });
        return createFacts({ log: slow, rules: undefined, newId: () => 'x1', now: () => AT });
      };
      await draw('m1', 'Leeds', AT);
      await beside(() => facts.retract('ada', 'm1-0')).archive('ada', 'm1', 'm2');
      expect(await log.find('ada', 'm1')).toMatchObject({
        archived: { keptAs: 'm2' },
        said: [{ retracted: { at: AT + 1_000 } }],
      });
      const said = [home('Leeds'), home('York')];
      await beside(() => log.record('ada', { memoryId: 'm1', at: AT, said })).restore('ada', 'm1');
      expect(await log.find('ada', 'm1')).toEqual({ memoryId: 'm1', at: AT, said });
      await beside(() => facts.archive('ada', 'm1')).retract('ada', 'm1-1');
      expect(await log.find('ada', 'm1')).toMatchObject({
        archived: {},
        said: [{}, { retracted: { at: AT } }],
      });
      // A memory that is forgotten meanwhile does not come back.
      await beside(() => facts.forget('ada', 'm1')).archive('ada', 'm1');
      expect(await log.find('ada', 'm1')).toBeUndefined();
      await log.beginErasure('ada');
      const source = { memoryId: 'm1', at: AT, said };
      await expect(facts.restore('ada', 'm1', source)).rejects.toMatchObject({ code: 'MEMORY_ERASING' });
    });

    test('the facts of one user among those of others are read whole', async () => {
      const sources = (user: string, count: number): [string, FactSource][] =>
        Array.from({ length: count }, (_, n) => [
          user,
          { memoryId: `m${n}`, at: AT + n, said: [home(`${n}`)] },
        ]);
      for (const [user, source] of [...sources('ada', 60), ...sources('ben', 40)])
        await log.record(user, source);
      expect(await log.read('ada')).toHaveLength(60);
      expect(await values('ben')).toHaveLength(40);
    });

    test('an erasure takes the facts of its user alone, and refuses new ones until it has ended', async () => {
      await draw('m1', 'Leeds', AT);
      await draw('m1', 'York', AT, 'ben');
      await log.beginErasure('ada');
      await log.beginErasure('ada');
      await expect(draw('m2', 'Hull', AT)).rejects.toMatchObject({ code: 'MEMORY_ERASING' });
      await log.endErasure('ada');
      expect(await values()).toEqual([]);
      expect(await values('ben')).toEqual([['York', true]]);
      await draw('m3', 'Hull', AT);
      expect(await values()).toEqual([['Hull', true]]);
    });

    describe('drawn by a model', () => {
      const { signal } = new AbortController();
      let texts: Map<string, string>;
      let models: ModelFacts;

      beforeEach(() => {
        texts = new Map();
        facts = createFacts({
          log,
          rules: undefined,
          byModel: true,
          newId: () => 'z',
          now: () => AT + 1_000,
        });
        models = createModelFacts({
          log,
          rules: undefined,
          textOf: ({ memoryId }) => Promise.resolve(texts.get(memoryId)),
        });
      });
      const store = async (memoryId: string, text: string, at = AT, userId = 'ada'): Promise<void> => {
        texts.set(memoryId, text);
        await facts.draw({ userId, sessionId: 's', memoryId, text, at });
      };
      const ownerOf = async (userId: string): Promise<string> =>
        (await models.owners(10)).find((one) => one.userId === userId)?.owner ?? '';
      /** The whole text is the value. */
      const says = (text: string): Promise<DrawnFact[]> =>
        Promise.resolve([{ subject: 'user', attribute: 'home', value: text, change: 'holds', quote: text }]);
      const drawNext = async (userId = 'ada', ask = says) =>
        models.drawNext(await ownerOf(userId), (_, text) => ask(text), signal);

      test('a due memory is read once, the first one first, and each user is named once', async () => {
        await store('m1', 'Leeds');
        await store('m2', 'York', AT + 1);
        await store('m3', 'Hull', AT, 'ben');
        expect((await models.owners(10)).map(({ userId }) => userId).sort()).toEqual(['ada', 'ben']);
        expect(await models.owners(1)).toHaveLength(1);
        expect(await drawNext()).toEqual({ drawn: 1, refused: {} });
        expect(await values()).toEqual([['Leeds', true]]);
        await drawNext();
        expect(await facts.list('ada')).toMatchObject([
          { value: 'Leeds', drawnBy: 'model', validTo: AT + 1 },
          { value: 'York', drawnBy: 'model' },
        ]);
        expect(await drawNext()).toBeUndefined();
        expect(await values('ben')).toEqual([]);
      });

      test('what a model draws joins what the rules drew, and gives way to it', async () => {
        const rules = { readFacts: (text: string) => [home(text.slice(0, 5))] };
        facts = createFacts({ log, rules, byModel: true, newId: () => 'z', now: () => AT });
        await store('m1', 'Leeds and York');
        const pet = { subject: 'user', attribute: 'pet', value: 'York', change: 'holds' } as const;
        const answer = [pet, pet, { ...pet, attribute: 'home' }, { ...pet, value: 'Mars' }];
        const ask = (quote: string): Promise<DrawnFact[]> =>
          Promise.resolve(answer.map((one) => ({ ...one, quote })));
        expect(await drawNext('ada', ask)).toEqual({ drawn: 1, refused: { value: 1, known: 2 } });
        expect(await facts.list('ada')).toMatchObject([
          { value: 'Leeds', attribute: 'home', drawnBy: 'rules' },
          { value: 'York', attribute: 'pet', drawnBy: 'model' },
        ]);
      });

      test('a memory that changes or goes while a model reads it says what it says then', async () => {
        await store('m1', 'Leeds');
        await drawNext('ada', async (text) => {
          await store('m1', 'York');
          return says(text);
        });
        expect(await values()).toEqual([]);
        await drawNext();
        expect(await values()).toEqual([['York', true]]);
        await store('m2', 'Hull', AT + 1);
        await drawNext('ada', async (text) => {
          await facts.forget('ada', 'm2');
          return says(text);
        });
        expect(await values()).toEqual([['York', true]]);
        expect(await models.owners(10)).toEqual([]);
      });

      test('what was retracted while a model reads stays retracted', async () => {
        const rules = { readFacts: (text: string) => [home(text)] };
        facts = createFacts({ log, rules, byModel: true, newId: () => 'z', now: () => AT + 1_000 });
        await store('m1', 'Leeds');
        const retracting = async (text: string): Promise<DrawnFact[]> => {
          await facts.retract('ada', 'm1-0');
          return says(text);
        };
        expect(await drawNext('ada', retracting)).toEqual({ drawn: 0, refused: { overruled: 1 } });
        expect(await facts.list('ada')).toMatchObject([{ value: 'Leeds', neverHeld: true }]);
      });

      test('a model that could not be asked leaves a memory due, and one that is gone is due no more', async () => {
        await store('m1', 'Leeds');
        await expect(drawNext('ada', () => Promise.reject(new Error('away')))).rejects.toThrow('away');
        expect(await models.owners(10)).toHaveLength(1);
        texts.delete('m1');
        expect(await drawNext()).toEqual({ drawn: 0, refused: {} });
        expect(await models.owners(10)).toEqual([]);
      });

      test('an erasure leaves nothing to read, also where a model is reading', async () => {
        await store('m1', 'Leeds');
        await store('m2', 'Hull', AT, 'ben');
        await drawNext('ada', async (text) => {
          await log.beginErasure('ada');
          return says(text);
        });
        expect((await models.owners(10)).map(({ userId }) => userId)).toEqual(['ben']);
        await log.endErasure('ada');
        expect(await values()).toEqual([]);
      });
    });

    test('no document can be read without the key', async () => {
      facts = createFacts({
        log,
        rules: { readFacts: (text) => [home(text)] },
        byModel: true,
        newId: () => 'z',
        now: () => AT,
      });
      await draw('m1', 'Leeds', AT, 'ada-lovelace');
      const stored = JSON.stringify([await documents.list('facts'), await documents.list('facts-due')]);
      expect(stored).toContain('m1');
      expect(stored).not.toMatch(/Leeds|ada-lovelace|home/);
    });
  });
}
