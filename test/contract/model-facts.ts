import type { SaidFact } from '../../src/contracts/facts';
import { createFactLog, type FactLog } from '../../src/memory/facts/fact-log';
import { createFacts, type Facts } from '../../src/memory/facts/facts';
import type { DrawnFact } from '../../src/memory/facts/model/ask';
import { createModelFacts, type ModelFacts } from '../../src/memory/facts/model/model-facts';
import { createSecretBox, KEY_BYTES } from '../../src/secrets/secret-box';
import type { DocumentStore } from '../../src/stores/documents';
import { AT, home, openFactLog } from './facts';
import type { DocumentStoreHarness } from './support/harness';

/** What every store of documents must do with facts that a model draws. @param open opens an empty store */
export function describeModelFacts(name: string, open: () => Promise<DocumentStoreHarness>): void {
  describe(`facts drawn by a model on ${name}`, () => {
    let harness: DocumentStoreHarness;
    let documents: DocumentStore;
    let log: FactLog;
    let facts: Facts;
    const { signal } = new AbortController();
    let texts: Map<string, string>;
    let models: ModelFacts;

    beforeEach(async () => {
      harness = await open();
      documents = harness.connect();
      log = openFactLog(documents);
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
    afterEach(() => harness.dispose());

    const values = async (userId = 'ada'): Promise<[string, boolean][]> =>
      (await facts.list(userId)).map(({ value, validTo }) => [value, validTo === undefined]);
    const store = async (memoryId: string, text: string, at = AT, userId = 'ada'): Promise<void> => {
      texts.set(memoryId, text);
      await facts.draw({ userId, sessionId: 's', memoryId, text, at });
    };
    const users = async (limit = 10, after?: string): Promise<string[]> =>
      (await models.owners(limit, after)).users.map(({ userId }) => userId);
    const ownerOf = async (userId: string): Promise<string> =>
      (await models.owners(10)).users.find((one) => one.userId === userId)?.owner ?? '';
    /** The whole text is the value. */
    const says = (text: string): Promise<DrawnFact[]> =>
      Promise.resolve([{ subject: 'user', attribute: 'home', value: text, change: 'holds', quote: text }]);
    const drawNext = async (userId = 'ada', ask = says) =>
      models.drawNext(await ownerOf(userId), (_, text) => ask(text), signal);

    test('a due memory is read once, the first one first, and each user is named once', async () => {
      await store('m1', 'Leeds');
      await store('m2', 'York', AT + 1);
      await store('m3', 'Hull', AT, 'ben');
      expect((await users()).sort()).toEqual(['ada', 'ben']);
      const { users: first, next } = await models.owners(1);
      expect([...first.map(({ userId }) => userId), ...(await users(1, next))].sort()).toEqual([
        'ada',
        'ben',
      ]);
      expect(await users(1, (await models.owners(1, next)).next)).toEqual([]);
      expect(await facts.listDue('ada')).toEqual(new Set(['m1', 'm2']));
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
      expect(await users()).toEqual([]);
    });

    test('a memory of the same id and version that is another one by then gets no facts of the former', async () => {
      await store('m1', 'Leeds');
      await drawNext('ada', async (text) => {
        await facts.forget('ada', 'm1');
        await store('m1', 'York');
        return says(text);
      });
      expect(await values()).toEqual([]);
      expect(await facts.listDue('ada')).toEqual(new Set(['m1']));
    });

    test('notes that a former key sealed are passed over', async () => {
      const former = createFactLog({
        documents,
        secrets: createSecretBox(Buffer.alloc(KEY_BYTES, 8)),
        // This owner comes before all others.
        pseudonym: () => '0',
      });
      const memory = { memoryId: 'm1', at: AT };
      await former.record('ada', { ...memory, said: [] }, { ...memory, userId: 'ada', sessionId: 's' });
      await store('m2', 'York');
      expect(await users(1)).toEqual(['ada']);
      expect(await models.drawNext('0', (_, text) => says(text), signal)).toBeUndefined();
    });

    test.each<[kept: boolean, former: string, text: string, byRules: boolean]>([
      [true, 'Leeds', 'Leeds', false],
      [false, 'Leeds', 'Leeds it is not', false],
      [true, 'Leeds', 'Well, Leeds', true],
      [false, 'Leeds', 'Hull', true],
    ])('the facts of archived memories stay (%s) where "%s" becomes "%s"', async (kept, ...change) => {
      const [formerText, text, byRules] = change;
      const readFacts = (said: string): SaidFact[] => {
        const start = Math.max(said.length - 5, 0);
        return [{ ...home(said.slice(start)), start, end: said.length }];
      };
      const rules = byRules ? { readFacts } : undefined;
      facts = createFacts({ log, rules, byModel: true, newId: () => 'z', now: () => AT });
      for (const id of ['m1', 'm2']) {
        await store(id, formerText);
        await drawNext();
      }
      await facts.archive('ada', 'm1', 'm2');
      await facts.draw({ userId: 'ada', sessionId: 's', memoryId: 'm2', at: AT, text, formerText });
      expect((await log.find('ada', 'm1')) !== undefined).toBe(kept);
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
      expect(await users()).toEqual(['ada']);
      texts.delete('m1');
      expect(await drawNext()).toEqual({ drawn: 0, refused: {} });
      expect(await users()).toEqual([]);
    });

    test('an erasure leaves nothing to read, also where a model is reading', async () => {
      await store('m1', 'Leeds');
      await store('m2', 'Hull', AT, 'ben');
      await drawNext('ada', async (text) => {
        await log.beginErasure('ada');
        return says(text);
      });
      expect(await users()).toEqual(['ben']);
      await log.endErasure('ada');
      expect(await values()).toEqual([]);
    });
  });
}
