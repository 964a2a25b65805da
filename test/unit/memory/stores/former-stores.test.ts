import { loadConfig } from '../../../../src/settings/config';
import { addReplaced, type KnownFormerStore, showFormer } from '../../../../src/memory/stores/former-stores';
import { resolveStores, type StoreSettings } from '../../../../src/memory/stores/settings';

const config = loadConfig({});
const resolve = (settings: StoreSettings) => resolveStores(config, settings);
const replacedAt = '2026-01-01T00:00:00.000Z';
const server = (host: string): StoreSettings => ({
  graphdb: { uri: `bolt://${host}:7687`, password: 'secret' },
});
const holding = (...users: string[]) => ({ listUsers: () => Promise.resolve(users) });

async function replace(
  from: StoreSettings,
  to: StoreSettings,
  former: readonly KnownFormerStore[] = [],
  graph: ReturnType<typeof holding> | null = holding('ann', 'ben'),
): Promise<KnownFormerStore[]> {
  return addReplaced({ former, from, to, resolve, graph: graph ?? undefined, replacedAt });
}

test('a store that is replaced is named by its place, with the users who had memories in it', async () => {
  const [first, ...others] = await replace(server('one'), server('two'));
  expect([first && showFormer(first), others]).toEqual([
    { store: 'graphdb', place: 'bolt://one:7687', replacedAt, heldMemories: true, users: 2 },
    [],
  ]);
  expect(JSON.stringify(first)).not.toContain('secret');
});

test.each([
  ['nobody', holding(), { heldMemories: false, users: 0 }],
  ['a graph that fails', { listUsers: () => Promise.reject(new Error('away')) }, { heldMemories: 'unknown' }],
  ['no graph', null, { heldMemories: 'unknown' }],
])('memories of %s', async (_what, graph, held) => {
  expect(await replace({}, server('one'), [], graph)).toMatchObject([{ place: 'embedded', ...held }]);
});

test('an index is a store of its own, and stays in use if only the graph is replaced', async () => {
  const index: StoreSettings = { vectordb: { apiKey: 'key', indexName: 'mine' } };
  expect(await replace(index, { ...index, ...server('one') })).toMatchObject([{ store: 'graphdb' }]);
  const replaced = await replace(index, { vectordb: { apiKey: 'key', indexName: 'other' } });
  expect(replaced).toMatchObject([{ store: 'vectordb', place: 'pinecone:mine' }]);
});

test('a store is listed once, the latest first, up to 20, and not while it is in use', async () => {
  let former: KnownFormerStore[] = [];
  const hosts = Array.from({ length: 24 }, (_, n) => `host-${n}`);
  for (const [n, host] of hosts.entries())
    former = await replace(server(host), server(`host-${n + 1}`), former);
  expect(former.map(({ place }) => place)).toEqual(
    hosts
      .reverse()
      .slice(0, 20)
      .map((host) => `bolt://${host}:7687`),
  );
  former = await replace(server('host-24'), server('host-20'), former);
  const places = former.map(({ place }) => place);
  expect(places.slice(0, 2)).toEqual(['bolt://host-24:7687', 'bolt://host-23:7687']);
  expect(places).not.toContain('bolt://host-20:7687');
  // A new password is another setting of the same place.
  const renewed = { graphdb: { ...server('host-20').graphdb, password: 'other' } };
  expect(await replace(server('host-20'), renewed, former)).toEqual(former);
});
