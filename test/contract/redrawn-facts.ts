import { HoldfastError } from '../../src/base/errors';
import type { Fact, RecordedFact, SaidFact } from '../../src/contracts/facts';
import { createRedrawPage, type RedrawPage, type RedrawPorts } from '../../src/memory/upkeep/redraw';
import { createFactRedraw, type FactRedraw, REDRAW_PASS } from '../../src/memory/upkeep/redraw-pass';
import { createSecretBox, KEY_BYTES } from '../../src/secrets/secret-box';
import {
  afterDays,
  type ConsolidationStage,
  openConsolidationStage,
  type OpenedStores,
  START,
  USER,
} from './support/consolidation-stage';

const cityOf = (value: string, change: SaidFact['change'] = 'holds'): SaidFact => ({
  ...{ subject: 'user', attribute: 'city', value, change, single: true, start: 0, end: value.length },
});

/**
 * The rules of today. Those of the stage, which drew the facts before, took "I live in" and "My home is in" for a `home`, and read no
 * end of one.
 */
const rules: RedrawPorts['rules'] = {
  readFacts(text, known) {
    const [, no, value = ''] = /^I (no longer )?live in (\w+)\.$/.exec(text) ?? [];
    const isKnown = known.some((fact) => fact.attribute === 'city' && fact.value === value);
    if (no !== undefined) return isKnown ? [cityOf(value, 'ends')] : [];
    return value === '' ? [] : [cityOf(value)];
  },
};

/** What drawing facts anew must do on every store of memories and documents. @param open opens empty stores */
export function describeRedrawnFacts(name: string, open: () => Promise<OpenedStores>): void {
  describe(`facts drawn anew on ${name}`, () => {
    let stores: OpenedStores;
    let stage: ConsolidationStage;
    let warnings: object[];

    beforeEach(async () => {
      stores = await open();
      stage = openConsolidationStage(stores.graph, stores.documents);
      warnings = [];
    });
    afterEach(() => stores.dispose());

    const pageOf = (changed: Partial<RedrawPorts> = {}): RedrawPage =>
      createRedrawPage({ graph: stage.graph, log: stage.log, archive: stage.archive, rules, ...changed });
    const redrawOf = (page = pageOf(), factsVersion = 2, place = 'here'): FactRedraw =>
      createFactRedraw({
        ...{ documents: stage.documents, factsVersion, place, page },
        secrets: createSecretBox(Buffer.alloc(KEY_BYTES, 7)),
        logger: { warn: (fields: object) => void warnings.push(fields) },
        now: () => START + stage.clock,
        listUsers: (kind, options) => stores.graph.listUsers(kind, options),
      });
    const shown = ({ attribute, value, validTo, neverHeld }: Fact): string =>
      `${attribute} ${value}${neverHeld ? ' never' : validTo === undefined ? '' : ' ended'}`;
    const factsOf = async (userId = USER): Promise<string[]> => (await stage.facts.list(userId)).map(shown);

    test('what was drawn before gives way to what the rules read now, once for a version and a graph', async () => {
      await stage.say('I live in Leeds.');
      await stage.say('My home is in York.');
      await stage.say('I no longer live in Leeds.');
      await stage.chat('I live in Hull.', 'assistant');
      expect(await factsOf()).toEqual(['home Leeds ended', 'home York']);
      const redraw = redrawOf();
      expect(await redraw.isDue()).toBe(true);
      expect(await redraw.step()).toEqual({ users: 1, memories: 4, failed: 0, done: true });
      expect(await factsOf()).toEqual(['city Leeds ended']);
      expect(await stage.documents.list(REDRAW_PASS)).toEqual([]);
      expect(await redraw.isDue()).toBe(false);
      expect(await redraw.step()).toEqual({ users: 0, memories: 0, failed: 0, done: true });
      expect(await redrawOf(undefined, 1).isDue()).toBe(false);
      expect(await redrawOf(undefined, 3).isDue()).toBe(true);
      expect(await redrawOf(undefined, 2, 'elsewhere').isDue()).toBe(true);
    });

    test('if there are no facts nothing is done, now or later', async () => {
      await stage.say('Tea is fine.');
      expect(await redrawOf().isDue()).toBe(false);
      await stage.say('I live in Leeds.');
      expect(await redrawOf().step()).toMatchObject({ memories: 0, done: true });
      expect(await factsOf()).toEqual(['home Leeds']);
    });

    test('corrections of people and facts of a model stay, and what was retracted stays so by another name', async () => {
      const leeds = await stage.say('I live in Leeds.');
      const york = await stage.say('I live in York.');
      const hull = await stage.say('My home is in Hull.');
      const pet: RecordedFact = { ...cityOf('cat'), attribute: 'pet', drawnBy: 'model' };
      await stage.log.change(
        USER,
        leeds.id,
        (before) => before && { ...before, said: [...before.said, pet] },
      );
      await stage.facts.retract(USER, `${leeds.id}-0`);
      const { id } = await stage.facts.correct(USER, `${york.id}-0`, 'Bath');
      await stage.facts.retract(USER, `${hull.id}-0`);
      await redrawOf().step();
      expect((await factsOf()).sort()).toEqual([
        'city Leeds never',
        'city York never',
        'home Bath',
        'home Hull never',
        'home Leeds never',
        'home York never',
        'pet cat',
      ]);
      expect(await stage.facts.list(USER)).toContainEqual(
        expect.objectContaining({ value: 'York', supersededBy: id }),
      );
      expect(await stage.facts.list(USER)).toContainEqual(
        expect.objectContaining({ value: 'cat', drawnBy: 'model' }),
      );
    });

    test('what a model drew before the rules read a memory gives way to them, as it does after', async () => {
      const leeds = await stage.say('Leeds it is.');
      const drawn: RecordedFact[] = [cityOf('Leeds'), { ...cityOf('cat'), attribute: 'pet' }];
      const said = drawn.map((fact): RecordedFact => ({ ...fact, drawnBy: 'model' }));
      await stage.log.record(USER, { memoryId: leeds.id, at: leeds.timestamp, said });
      const reads = { readFacts: () => [cityOf('Leeds')] };
      await pageOf({ rules: reads })(USER, undefined);
      expect((await stage.facts.list(USER)).map(({ value, drawnBy }) => [value, drawnBy])).toEqual([
        ['Leeds', 'rules'],
        ['cat', 'model'],
      ]);
    });

    test('a run that is killed resumes where it was, and a page may be repeated', async () => {
      for (let n = 0; n < 230; n += 1) await stage.say(`I live in Town${n}.`, { userId: 'ben' });
      await stage.facts.draw({ userId: 'cleo', memoryId: 'gone', text: 'I live in Leeds.', at: START });
      let pages = 0;
      const killed = redrawOf(async (...query) => {
        pages += 1;
        const page = await pageOf()(...query);
        if (pages === 2) throw new HoldfastError('STORE_UNAVAILABLE', 'away', { retryable: true });
        return page;
      });
      await expect(killed.step()).rejects.toThrow('away');
      const asked: unknown[] = [];
      const resumed = redrawOf(async (userId, after, signal) => {
        asked.push(after);
        return pageOf()(userId, after, signal);
      });
      expect(await resumed.step()).toEqual({ users: 1, memories: 130, failed: 0, done: true });
      expect(asked).toEqual([expect.objectContaining({ id: expect.any(String) }), expect.anything()]);
      const facts = await factsOf('ben');
      expect([facts.length, facts[0], facts.at(-1)]).toEqual([230, 'city Town0 ended', 'city Town229']);
    });

    test('a step is bounded, and a user whose facts cannot be drawn keeps no other from theirs', async () => {
      for (const userId of ['ben', 'cleo', 'dora']) await stage.say('I live in Leeds.', { userId });
      const errors: Record<string, Error> = {
        ben: new Error('cannot be read'),
        cleo: new HoldfastError('MEMORY_ERASING', 'is being erased'),
      };
      const redraw = redrawOf((userId, ...rest) =>
        errors[userId] === undefined ? pageOf()(userId, ...rest) : Promise.reject(errors[userId]),
      );
      const stopped = new AbortController();
      stopped.abort(new Error('stopped'));
      await expect(redraw.step(stopped.signal)).rejects.toThrow('stopped');
      expect(await redraw.step()).toEqual({ users: 3, memories: 1, failed: 1, done: true });
      expect(warnings).toEqual([{ reason: 'cannot be read' }]);
      for (let n = 0; n < 120; n += 1) await stage.say('Tea.', { userId: `user-${n}` });
      const next = redrawOf(undefined, 3);
      expect(await next.step()).toMatchObject({ users: 100, done: false });
      expect(await next.step()).toMatchObject({ users: 23, done: true });
    });

    test('an archived memory says what the rules read of its copy or of what is kept for it, and it can be restored', async () => {
      await stage.say('I live in Leeds.');
      await stage.say('My home is in Leeds.');
      await stage.say('I live in York.');
      await stage.say('I live in York');
      await stage.consolidate('c1');
      const archived = async (): Promise<number> =>
        (await stage.log.read(USER)).filter((source) => source.archived !== undefined).length;
      expect([await archived(), await factsOf()]).toEqual([3, ['home Leeds ended', 'home York']]);
      await redrawOf().step();
      expect([await archived(), await factsOf()]).toEqual([3, ['city Leeds ended', 'city York']]);
      await stage.undo('c1');
      expect([await archived(), await factsOf()]).toEqual([0, ['city Leeds ended', 'city York']]);
    });

    test('what only an archived memory said of which nothing is left is gone, as it held no more', async () => {
      await stage.say('I live in Leeds.');
      await stage.say('I live in York.');
      await stage.consolidate('c1');
      afterDays(stage, 9);
      await stage.documents.removeExpired(START + stage.clock, 100);
      expect(await factsOf()).toEqual(['home Leeds ended', 'home York']);
      await redrawOf().step();
      expect(await factsOf()).toEqual(['city York']);
    });

    test('a memory that is changed or deleted meanwhile says what it says then', async () => {
      const changed = await stage.say('I live in Leeds.');
      const deleted = await stage.say('I live in York.');
      const other = await stage.say('I live in Hull.');
      let isFirst = true;
      const graph: RedrawPorts['graph'] = {
        list: (query) => stage.graph.list(query),
        getMany: (ids) => stage.graph.getMany(ids),
        async get(id) {
          if (id === changed.id && isFirst) {
            isFirst = false;
            await stage.graph.update(id, { body: { ...changed.body, content: 'I live in Bath.' } });
          }
          if (id === deleted.id) await stage.graph.delete(id);
          if (id === other.id) {
            const metadata = { source: 'assistant' };
            await stage.graph.update(id, { body: { ...other.body, metadata } });
          }
          return stage.graph.get(id);
        },
      };
      await redrawOf(pageOf({ graph })).step();
      expect(await factsOf()).toEqual(['city Bath']);
    });
  });
}
