import type { DocumentStore } from '../../../src/stores/documents';
import {
  type BuiltinDefinition,
  createToolRegistry,
  type ToolRegistration,
  type ToolRegistry,
} from '../../../src/tools/registry';
import { NOW, builtin, registration, testStores } from './registry-fixtures';

describe('the tool registry', () => {
  let current: ReturnType<typeof testStores>;
  beforeEach(() => {
    current = testStores();
  });
  afterEach(() => current.dispose());

  function registry(
    options: { builtins?: BuiltinDefinition[]; maxTools?: number; now?: number } = {},
  ): ToolRegistry {
    const { builtins = [builtin('calculator'), builtin('weather')], maxTools = 10, now = NOW } = options;
    const documents = current.connect();
    return createToolRegistry({ documents, builtins, maxTools, now: () => now });
  }

  const names = async (tools: ToolRegistry): Promise<string[]> =>
    (await tools.list()).map(({ name }) => name);

  describe('registering', () => {
    it('shows in the lists of other processes at once, a replacement and a removal too', async () => {
      const [mine, theirs] = [registry(), registry()];
      await mine.register(registration('mine'));
      expect(await names(theirs)).toEqual(['mine']);
      await mine.register({ ...registration('mine'), description: 'Better' });
      expect((await theirs.list()).map(({ description }) => description)).toEqual(['Better']);
      expect(await mine.list()).toEqual(await theirs.list());
      await theirs.remove('mine');
      expect(await mine.list()).toEqual([]);
    });

    it('keeps a tool as it came, and the time', async () => {
      const tools = registry();
      const stored = await tools.register(registration('mine'));
      expect(stored).toEqual({ ...registration('mine'), registeredAt: '2026-01-02T03:04:05.678Z' });
      expect(await tools.get('mine')).toEqual(stored);
      const { name, description, inputSchema } = stored;
      expect(await tools.list()).toEqual([{ name, description, inputSchema }]);
      expect(await tools.count()).toBe(1);
    });

    it('reads tools in the form of earlier builds, and lists them as others', async () => {
      const parameters = { a: { type: 'number', description: 'A', required: true } };
      const rest = { description: 'Old', registeredAt: '2026-01-01T00:00:00.000Z' };
      const inputSchema = { type: 'object', properties: { at: { $ref: '#/$defs/at' } }, $defs: { at: {} } };
      const source = { name: 'own', parameters, implementation: { kind: 'source', source: '1' }, ...rest };
      const implementation = { kind: 'mcp', server: 's', tool: 't', digest: 'd' };
      const remote = { name: 's.t', parameters: {}, inputSchema, implementation, ...rest };
      const store = current.connect();
      for (const value of [source, remote])
        await store.write([{ type: 'put', collection: 'tools', key: value.name, value, ifVersion: 0 }]);
      const tools = registry();
      const schema = {
        type: 'object',
        properties: { a: { type: 'number', description: 'A' } },
        required: ['a'],
      };
      const { parameters: _, ...own } = source;
      expect(await tools.get('own')).toEqual({ ...own, inputSchema: schema });
      expect((await tools.getMany(['s.t'])).get('s.t')).toMatchObject({ inputSchema });
      expect(await tools.list()).toMatchObject([
        { name: 'own', inputSchema: schema },
        { name: 's.t', inputSchema },
      ]);
    });

    it('keeps nothing that is not of a tool', async () => {
      const tools = registry();
      await tools.register({ ...registration('mine'), secret: 1 } as ReturnType<typeof registration>);
      expect(await tools.get('mine')).not.toHaveProperty('secret');
    });

    it('replaces a tool of the same name and counts it once', async () => {
      const tools = registry();
      await tools.register(registration('mine', '() => 1'));
      await tools.register(registration('mine', '() => 2'));
      expect((await tools.get('mine'))?.implementation).toEqual({ kind: 'source', source: '() => 2' });
      expect(await tools.count()).toBe(1);
    });

    it('is seen by every other registry at once', async () => {
      const [one, other] = [registry(), registry()];
      expect(await other.get('mine')).toBeUndefined();
      await one.register(registration('mine'));
      expect(await other.get('mine')).toBeDefined();
      expect(await other.count()).toBe(1);
      await other.remove('mine');
      expect(await one.get('mine')).toBeUndefined();
    });

    it('tells names apart by case, and lists by name', async () => {
      const tools = registry();
      for (const name of ['b', 'a', 'B', 'a-', 'a.b', 'a_b', 'aa', 'a1'])
        await tools.register(registration(name));
      expect(await names(tools)).toEqual(['B', 'a', 'a-', 'a.b', 'a1', 'a_b', 'aa', 'b']);
    });

    it.each(['', '1st', 'a b', '../x', 'x'.repeat(65), 'x'.repeat(1_000)])(
      'refuses the name %j',
      async (name) => {
        const invalid = { code: 'VALIDATION', details: { field: 'name' } };
        await expect(registry().register(registration(name))).rejects.toMatchObject(invalid);
      },
    );

    it.each(['execute', 'Execute', 'stats', 'constructor', '__proto__', 'toString'])(
      'reserves %s',
      async (name) => {
        const tools = registry();
        await expect(tools.register(registration(name))).rejects.toMatchObject({ code: 'VALIDATION' });
        expect(await tools.count()).toBe(0);
      },
    );

    it('refuses one tool more than the setting allows, but still replaces', async () => {
      const tools = registry({ maxTools: 2 });
      await tools.register(registration('one'));
      await tools.register(registration('two'));
      const refusal = { code: 'VALIDATION', message: expect.stringContaining('MAX_TOOLS') };
      await expect(tools.register(registration('three'))).rejects.toMatchObject(refusal);
      await tools.register(registration('two', '() => 2'));
      await tools.remove('one');
      await tools.register(registration('three'));
      expect(await names(tools)).toEqual(['three', 'two']);
    });

    it('has a maximum length of all descriptions and parameters, because a list has them all', async () => {
      const tools = registry();
      await tools.seed();
      const long = (name: string, length: number): ToolRegistration => ({
        ...registration(name),
        description: 'x'.repeat(length),
      });
      await tools.register(long('one', 600_000));
      const refusal = { code: 'VALIDATION', message: expect.stringContaining('MAX_TOOLS') };
      await expect(registry().register(long('two', 600_000))).rejects.toMatchObject(refusal);
      await tools.register(long('one', 300_000));
      await tools.register(long('two', 600_000));
      await expect(tools.register(long('one', 600_000))).rejects.toMatchObject(refusal);
      await registry().seed();
      await tools.remove('two');
      await tools.register(long('one', 600_000));
      await expect(tools.register(long('two', 600_000))).rejects.toMatchObject(refusal);
      await tools.clear();
      await tools.restoreBuiltins();
      await tools.register(long('two', 600_000));
      expect(await names(tools)).toEqual(['calculator', 'two', 'weather']);
    });

    it('never lets more in than the setting allows, however many come at once', async () => {
      const many = Array.from({ length: 4 }, () => registry({ maxTools: 5 }));
      const attempts = many.flatMap((tools, index) =>
        Array.from({ length: 3 }, (_, number) => tools.register(registration(`tool-${index}-${number}`))),
      );
      const settled = await Promise.allSettled(attempts);
      expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
      expect(await names(registry())).toHaveLength(5);
      expect(await registry().count()).toBe(5);
    });
  });

  describe('looking up', () => {
    it('finds several at once, leaving out what is not there', async () => {
      const tools = registry();
      await tools.register(registration('one'));
      await tools.register(registration('two'));
      const found = await tools.getMany(['two', 'missing', 'not a name', '__proto__', 'one', 'one']);
      expect([...found.keys()].sort()).toEqual(['one', 'two']);
      expect(found.get('two')?.description).toBe('Registered two');
    });

    it.each(['', '__proto__', 'constructor', 'x'.repeat(1_000), 'half \ud83d'])(
      'finds nothing under %j',
      async (name) => {
        const tools = registry();
        expect(await tools.get(name)).toBeUndefined();
        expect(await tools.remove(name)).toBe(false);
      },
    );

    it('lists more tools than one page of the store holds', async () => {
      const tools = registry({ maxTools: 2_000 });
      const documents: DocumentStore = current.connect();
      const all = Array.from({ length: 1_003 }, (_, index) => `tool-${String(index).padStart(4, '0')}`);
      const tool = { ...registration('x'), registeredAt: '' };
      await documents.write(
        all.map((name) => ({ type: 'put', collection: 'tools', key: name, value: { ...tool, name } })),
      );
      expect(await names(tools)).toEqual(all);
    });
  });

  describe('removing', () => {
    it('says whether there was one', async () => {
      const tools = registry();
      await tools.register(registration('mine'));
      expect(await tools.remove('mine')).toBe(true);
      expect(await tools.remove('mine')).toBe(false);
      expect(await tools.count()).toBe(0);
      expect(await tools.list()).toEqual([]);
    });

    it('is done by one of two who try together', async () => {
      const [one, other] = [registry(), registry()];
      await one.register(registration('mine'));
      await one.register(registration('kept'));
      const removed = await Promise.all([one.remove('mine'), other.remove('mine')]);
      expect([...removed].sort()).toEqual([false, true]);
      expect(await one.count()).toBe(1);
    });

    it('clears all tools and returns how many', async () => {
      const tools = registry();
      await tools.seed();
      await tools.register(registration('mine'));
      expect(await tools.clear()).toBe(3);
      expect(await tools.list()).toEqual([]);
      expect(await tools.count()).toBe(0);
      expect(await tools.clear()).toBe(0);
    });

    it('counts or keeps what is registered while it clears', async () => {
      const [one, other] = [registry({ maxTools: 100 }), registry({ maxTools: 100 })];
      for (let index = 0; index < 10; index += 1) await one.register(registration(`old-${index}`));
      const registering = async (): Promise<void> => {
        for (let index = 0; index < 10; index += 1) await other.register(registration(`new-${index}`));
      };
      const [cleared] = await Promise.all([one.clear(), registering()]);
      const left = await names(one);
      expect(cleared + left.length).toBe(20);
      expect(await one.count()).toBe(left.length);
    });
  });

  describe('built-ins', () => {
    it('are put in once, with the time', async () => {
      const tools = registry();
      await tools.seed();
      await registry({ now: NOW + 1_000 }).seed();
      expect(await names(tools)).toEqual(['calculator', 'weather']);
      expect(await tools.get('calculator')).toEqual({
        ...builtin('calculator'),
        implementation: { kind: 'builtin' },
        registeredAt: '2026-01-02T03:04:05.678Z',
      });
      expect(await tools.count()).toBe(2);
    });

    it('stay away once removed, and one that is new is added', async () => {
      await registry().seed();
      await registry().remove('weather');
      const later = registry({ builtins: [builtin('calculator'), builtin('file_read'), builtin('weather')] });
      await later.seed();
      expect(await names(later)).toEqual(['calculator', 'file_read']);
    });

    it('stay away once cleared', async () => {
      await registry().seed();
      await registry().clear();
      const later = registry({ builtins: [builtin('calculator'), builtin('file_read'), builtin('weather')] });
      await later.seed();
      expect(await names(later)).toEqual(['file_read']);
      expect(await later.count()).toBe(1);
    });

    it('get the definition of the code that starts, and keep their time', async () => {
      await registry().seed();
      const changed = [builtin('calculator', 'Now better'), { ...builtin('weather'), inputSchema: {} }];
      const tools = registry({ builtins: changed, now: NOW + 1_000 });
      await tools.seed();
      expect(await tools.get('calculator')).toMatchObject({
        description: 'Now better',
        registeredAt: '2026-01-02T03:04:05.678Z',
      });
      expect((await tools.get('weather'))?.inputSchema).toEqual({});
      expect(await tools.count()).toBe(2);
    });

    it('are not written again when nothing is new', async () => {
      const inputSchema = { type: 'object', properties: { a: { type: 'string', enum: undefined } } };
      const builtins = [{ name: 'calculator', description: 'Counts', inputSchema }];
      await registry({ builtins }).seed();
      await registry({ builtins }).seed();
      expect((await current.connect().get('tools', 'calculator'))?.version).toBe(1);
      expect((await current.connect().get('tool-registry', 'state'))?.version).toBe(1);
    });

    it('may be replaced by a tool of the same name, which a start leaves alone', async () => {
      const tools = registry();
      await tools.seed();
      const mine = await tools.register(registration('calculator'));
      await registry({ builtins: [builtin('calculator', 'Now better')] }).seed();
      expect(await tools.get('calculator')).toEqual(mine);
      expect(await tools.count()).toBe(2);
    });

    it('leave alone a tool that had the name first', async () => {
      const tools = registry({ builtins: [] });
      await tools.seed();
      const mine = await tools.register(registration('weather'));
      await registry().seed();
      expect(await tools.get('weather')).toEqual(mine);
      expect(await registry().count()).toBe(2);
      await tools.remove('weather');
      await registry().seed();
      expect(await tools.get('weather')).toBeUndefined();
    });

    it('come in also where the registry is full', async () => {
      const tools = registry({ builtins: [], maxTools: 1 });
      await tools.register(registration('mine'));
      await registry({ maxTools: 1 }).seed();
      expect(await registry().count()).toBe(3);
      await expect(tools.register(registration('other'))).rejects.toMatchObject({ code: 'VALIDATION' });
    });

    it('come back when they are asked for, and only the missing ones', async () => {
      const tools = registry();
      await tools.seed();
      expect(await tools.restoreBuiltins()).toEqual([]);
      await tools.clear();
      const mine = await tools.register(registration('weather'));
      expect(await tools.restoreBuiltins()).toEqual(['calculator']);
      expect(await tools.get('weather')).toEqual(mine);
      expect(await tools.count()).toBe(2);
      await tools.remove('weather');
      expect(await tools.restoreBuiltins()).toEqual(['weather']);
      expect((await tools.get('weather'))?.implementation).toEqual({ kind: 'builtin' });
    });

    it('must have a name each', () => {
      expect(() => registry({ builtins: [builtin('a'), builtin('a')] })).toThrow('one name');
    });
  });

  describe('a built-in that is switched off, or gone from the code', () => {
    const all = {};
    const some = { builtins: [builtin('calculator')] };

    it('is not there for the process that has it off, and stays for the others', async () => {
      const [on, off] = [registry(all), registry(some)];
      await on.seed();
      await off.seed();
      expect([await names(on), await on.count()]).toEqual([['calculator', 'weather'], 2]);
      expect([await names(off), await off.count()]).toEqual([['calculator'], 1]);
      expect(await off.get('weather')).toBeUndefined();
      expect([...(await off.getMany(['calculator', 'weather'])).keys()]).toEqual(['calculator']);
      expect(await off.remove('weather')).toBe(false);
      expect(await on.get('weather')).toBeDefined();
    });

    it('is there once it is switched on, unless it was removed', async () => {
      await registry(some).seed();
      await registry(all).seed();
      expect(await names(registry(all))).toEqual(['calculator', 'weather']);
      await registry(all).remove('weather');
      await registry(some).seed();
      await registry(all).seed();
      expect(await names(registry(all))).toEqual(['calculator']);
    });

    it('is not restored, and is not among the tools that clearing removed', async () => {
      await registry(all).seed();
      const off = registry(some);
      expect(await off.clear()).toBe(1);
      expect(await off.restoreBuiltins()).toEqual(['calculator']);
      expect(await names(registry(all))).toEqual(['calculator']);
    });

    it('leaves its name to a tool that is registered', async () => {
      await registry(all).seed();
      const off = registry(some);
      await off.register(registration('weather', '() => "fair"'));
      expect([await names(off), await off.count()]).toEqual([['calculator', 'weather'], 2]);
      expect((await off.get('weather'))?.implementation.kind).toBe('source');
    });
  });
});
