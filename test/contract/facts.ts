import type { FactSource, SaidFact } from '../../src/contracts/facts';
import { createFactLog, type FactLog } from '../../src/memory/facts/fact-log';
import { createFacts, type Facts } from '../../src/memory/facts/facts';
import { createPseudonyms } from '../../src/secrets/pseudonyms';
import { createSecretBox, KEY_BYTES } from '../../src/secrets/secret-box';
import type { DocumentStore } from '../../src/stores/documents';
import type { DocumentStoreHarness } from './support/harness';

const KEY = Buffer.alloc(KEY_BYTES, 7);
export const AT = Date.parse('2026-01-02T03:04:05.678Z');

export const home = (value: string): SaidFact => ({
  subject: 'user',
  attribute: 'home',
  value,
  change: 'holds',
  single: true,
  start: 0,
  end: value.length,
});

export function openFactLog(documents: DocumentStore, secrets = createSecretBox(KEY)): FactLog {
  const pseudonyms = createPseudonyms(KEY);
  return createFactLog({
    documents,
    secrets,
    pseudonym: (userId) => pseudonyms('facts', userId),
  });
}

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
      log = openFactLog(documents);
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

    test('of one memory the first fifty facts are kept', async () => {
      const readFacts = (text: string) => text.split(' ').map((word) => ({ ...home(word), single: false }));
      const many = createFacts({ log, rules: { readFacts }, newId: () => 'x', now: () => AT });
      const text = Array.from({ length: 60 }, (_, n) => `place${n}`).join(' ');
      await many.draw({ userId: 'ada', memoryId: 'm1', text, at: AT });
      expect((await values()).map(([value]) => value)).toEqual(text.split(' ').slice(0, 50));
    });

    test('what other processes change is read at once, and what has not changed is not opened again', async () => {
      const box = createSecretBox(KEY);
      let opened = 0;
      const open = (sealed: string, purpose: string): string => {
        opened += 1;
        return box.open(sealed, purpose);
      };
      const other = openFactLog(harness.connect(), { ...box, open });
      const others = createFacts({ log: other, rules: undefined, newId: () => 'x', now: () => AT });
      const read = async (): Promise<[values: string[], opened: number]> => {
        opened = 0;
        return [(await others.list('ada')).map(({ value }) => value), opened];
      };
      await draw('m1', 'Leeds', AT + 1);
      await draw('m2', 'York', AT + 2);
      expect(await read()).toEqual([['Leeds', 'York'], 2]);
      expect(await read()).toEqual([['Leeds', 'York'], 0]);
      await draw('m3', 'Hull', AT + 3);
      expect(await read()).toEqual([['Leeds', 'York', 'Hull'], 1]);
      await draw('m1', 'Bath', AT + 1);
      expect(await read()).toEqual([['Bath', 'York', 'Hull'], 1]);
      await facts.forget('ada', 'm2');
      expect(await read()).toEqual([['Bath', 'Hull'], 0]);
      await log.beginErasure('ada');
      await log.endErasure('ada');
      expect(await read()).toEqual([[], 0]);
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

    test('a text that is stored again keeps what was retracted and corrected, and so does another that says it too', async () => {
      await draw('m1', 'Leeds', AT);
      await facts.retract('ada', 'm1-0');
      await draw('m1', 'Leeds', AT);
      expect(await values()).toEqual([['Leeds', false]]);
      const again = { userId: 'ada', memoryId: 'm1', at: AT, text: 'Leeds' };
      for (const formerText of ['Leeds', 'leeds!', 'Hull']) await facts.draw({ ...again, formerText });
      expect(await values()).toEqual([['Leeds', false]]);
      await draw('m2', 'York', AT + 1);
      await facts.correct('ada', 'm2-0', 'Hull');
      await facts.draw({ ...again, memoryId: 'm2', at: AT + 1, text: 'York', formerText: 'York' });
      expect((await facts.list('ada')).filter(({ validTo }) => validTo === undefined)).toMatchObject([
        { value: 'Hull' },
      ]);
    });

    test('a change to a value that held, and a second retraction, answer with the fact that has it', async () => {
      await draw('m1', 'Leeds', AT);
      await draw('m2', 'York', AT + 1);
      expect(await facts.correct('ada', 'm2-0', 'leeds')).toMatchObject({ id: 'm1-0', value: 'Leeds' });
      expect(await facts.list('ada')).toMatchObject([
        { id: 'm1-0', value: 'Leeds' },
        { value: 'York', neverHeld: true, supersededBy: 'm1-0' },
      ]);
      await draw('m3', 'york', AT + 2);
      expect(await facts.retract('ada', 'm3-0')).toMatchObject({ id: 'm2-0', neverHeld: true });
      expect(await values()).toEqual([
        ['Leeds', true],
        ['York', false],
      ]);
    });

    test('a retraction or a change that failed half-way is completed by its repeat', async () => {
      for (const [n, text] of ['Leeds', 'leeds', 'LEEDS'].entries()) await draw(`m${n}`, text, AT + n);
      let written = 0;
      const failing = openFactLog({
        ...documents,
        get: documents.get.bind(documents),
        list: documents.list.bind(documents),
        async write(writes) {
          written += 1;
          if (written === 2) throw new Error('away');
          return documents.write(writes);
        },
      });
      const away = createFacts({ log: failing, rules: undefined, newId: () => 'x', now: () => AT });
      await expect(away.retract('ada', 'm0-0')).rejects.toThrow('away');
      await facts.retract('ada', 'm0-0');
      expect(await values()).toEqual([['Leeds', false]]);
    });

    test('a text whose facts could not be written has them after a repeat of its change', async () => {
      await draw('m1', 'Leeds', AT);
      // The memory has the new text already, and its facts are still of the former one.
      await facts.draw({ userId: 'ada', memoryId: 'm1', at: AT, text: 'York', formerText: 'York' });
      expect(await values()).toEqual([['York', true]]);
    });

    test('without rules a text that was changed says nothing, and one that stays says what it said', async () => {
      await draw('m1', 'Leeds', AT);
      const without = createFacts({ log, rules: undefined, newId: () => 'z', now: () => AT });
      const memory = { userId: 'ada', memoryId: 'm1', at: AT };
      await without.draw({ ...memory, text: 'Leeds', formerText: 'Leeds' });
      expect(await values()).toEqual([['Leeds', true]]);
      await without.draw({ ...memory, text: 'York', formerText: 'Leeds' });
      expect(await values()).toEqual([]);
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

    test('other work is done while thousands of facts are read', async () => {
      const secrets = createSecretBox(KEY);
      const owner = createPseudonyms(KEY)('facts', 'ada');
      const toPut = (n: number) => {
        const source: FactSource = { memoryId: `m${n}`, at: AT + n, said: [home(`${n}`)] };
        const value = { sealed: secrets.seal(JSON.stringify(source), 'facts') };
        return { type: 'put', collection: 'facts', key: `${owner}/m${n}`, value } as const;
      };
      for (let start = 0; start < 3_500; start += 500)
        await documents.write(Array.from({ length: 500 }, (_, n) => toPut(start + n)));
      let iterations = 0;
      let next = setImmediate(function count() {
        iterations += 1;
        next = setImmediate(count);
      });
      expect(await log.read('ada')).toHaveLength(3_500);
      clearImmediate(next);
      expect(iterations).toBeGreaterThanOrEqual(3);
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
