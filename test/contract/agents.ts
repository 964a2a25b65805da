import { type AgentStore, createAgentStore } from '../../src/agents/agent-store';
import type { DocumentStoreHarness } from './support/harness';

interface Definition {
  readonly name: string;
  readonly description: string;
  readonly instructions: string;
}

const definition = (instructions: string): Definition => ({
  name: 'Clerk',
  description: 'Sells',
  instructions,
});
const UNKNOWN = { code: 'AGENT_NOT_FOUND' };

/** The suite that the store of named agents passes on every store of documents. */
export function describeAgents(name: string, open: () => Promise<DocumentStoreHarness>): void {
  describe(`named agents in ${name}`, () => {
    let harness: DocumentStoreHarness;
    let now = Date.parse('2026-11-28T12:00:00.000Z');
    const connect = (): AgentStore<Definition> => createAgentStore(harness.connect(), () => (now += 1_000));
    beforeEach(async () => (harness = await open()));
    afterEach(() => harness.dispose());

    test('keeps the versions of an agent, and makes none for an equal definition', async () => {
      const agents = connect();
      const first = await agents.put('clerk', definition('one'));
      await agents.put('clerk', { ...definition('two'), name: 'Second' });
      const { instructions, ...rest } = { ...definition('two'), name: 'Second' };
      const same = await agents.put('clerk', { instructions, ...rest });
      expect([first.version, same.version]).toEqual([1, 2]);
      expect(same.createdAt).toBe(first.createdAt);
      expect(same.updatedAt > first.updatedAt).toBe(true);
      expect(await agents.get('clerk')).toEqual(same);
      expect(await agents.get('clerk', 1)).toEqual({ ...first, versions: same.versions });
      expect(same.versions.map(({ version }) => version)).toEqual([1, 2]);
      await expect(agents.get('clerk', 3)).rejects.toMatchObject(UNKNOWN);
      const { definition: _, versions: __, ...head } = same;
      expect(await agents.list()).toEqual([head]);
    });

    test('keeps the last 20 versions', async () => {
      const agents = connect();
      for (let n = 1; n <= 23; n += 1) await agents.put('clerk', definition(`${n}`));
      const { versions } = await agents.get('clerk');
      expect(versions.map(({ version }) => version)).toEqual(Array.from({ length: 20 }, (_, at) => at + 4));
      await expect(agents.get('clerk', 3)).rejects.toMatchObject(UNKNOWN);
      expect((await agents.get('clerk', 4)).definition.instructions).toBe('4');
    });

    test('two writers at once make two versions each time', async () => {
      const writers = [connect(), connect()];
      for (let round = 0; round < 3; round += 1)
        await Promise.all(writers.map((agents, n) => agents.put('clerk', definition(`${round} ${n}`))));
      const { versions } = await connect().get('clerk');
      expect(versions.map(({ version }) => version)).toEqual([1, 2, 3, 4, 5, 6]);
      const texts = await Promise.all(
        versions.map(async ({ version }) => (await connect().get('clerk', version)).definition.instructions),
      );
      expect([...texts].sort()).toEqual(['0 0', '0 1', '1 0', '1 1', '2 0', '2 1']);
    });

    test('an agent that was removed is gone with its versions, and a later one of its id goes on counting', async () => {
      const agents = connect();
      await agents.put('clerk', definition('one'));
      await agents.put('clerk', definition('two'));
      await agents.remove('clerk');
      for (const version of [undefined, 1, 2])
        await expect(agents.get('clerk', version)).rejects.toMatchObject(UNKNOWN);
      await expect(agents.remove('clerk')).rejects.toMatchObject(UNKNOWN);
      expect(await agents.list()).toEqual([]);
      const again = await agents.put('clerk', definition('two'));
      expect([again.version, again.versions.length]).toEqual([3, 1]);
    });

    test('a tenant has a maximum of agents, among which those that were removed do not count', async () => {
      const agents = createAgentStore<Definition>(harness.connect(), () => now, 3);
      for (let n = 1; n <= 3; n += 1) await agents.put(`a${n}`, definition('one'));
      await expect(agents.put('another', definition('one'))).rejects.toMatchObject({ code: 'VALIDATION' });
      await agents.put('a2', definition('two'));
      await agents.remove('a3');
      await agents.put('another', definition('one'));
      expect((await agents.list()).length).toBe(3);
    });
  });
}
