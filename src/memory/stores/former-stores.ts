import { withinTime } from '../../base/async/time-limit';
import type { MemoryGraph } from '../../stores/memory/memory-graph';
import type { MemoryKind } from '../../stores/memory/node';
import { placeOfGraph, placesOf } from '../service/memory-settings';
import type { ResolvedStores, StoreSettings } from './settings';

/** A store of memories, named without credentials. */
export interface StorePlace {
  readonly store: 'graphdb' | 'vectordb';
  readonly place: string;
}

/** A store that other stores have replaced. What it holds is neither moved nor erased. */
export interface FormerStore extends StorePlace {
  /** ISO 8601; absent if an earlier build replaced it. */
  readonly replacedAt?: string;
  /** Whether it held memories then. `unknown`: it could not be asked. */
  readonly heldMemories: boolean | 'unknown';
  /** The number of users who had memories there, if it could be asked. More than `MAX_COUNTED` are not counted. */
  readonly users?: number;
}

/** A former store with the key by which it is known again. The key may have a credential in it, so it is stored sealed. */
export interface KnownFormerStore extends FormerStore {
  readonly key: string;
}

/** Maximum number of former stores that are remembered. */
const MAX_FORMER = 20;
const MAX_COUNTED = 1_000;
/** Time limit for counting users, milliseconds. */
const LIMIT_MS = 3_000;
const UNKNOWN_PLACE = 'no longer configured';
const KINDS: Readonly<Record<StorePlace['store'], readonly MemoryKind[]>> = {
  graphdb: ['episodic', 'semantic'],
  vectordb: ['semantic'],
};

type Place = StorePlace & Pick<KnownFormerStore, 'key'>;
type Resolve = (settings: StoreSettings) => ResolvedStores;

/** Lists the places of stores: that of the graph, and that of an index of vectors. */
function listPlaces(settings: StoreSettings, resolve: Resolve): Place[] {
  let memory: ResolvedStores['memory'];
  try {
    ({ memory } = resolve(settings));
  } catch {
    return listNamed(settings);
  }
  const { neo4j, pinecone } = memory;
  const place = neo4j === undefined ? 'embedded' : showPlace(neo4j.uri, neo4j.database);
  const graph: Place = { store: 'graphdb', place, key: placeOfGraph(memory) };
  if (pinecone === undefined) return [graph];
  return [graph, { store: 'vectordb', place: showIndex(pinecone.indexName), key: placesOf(memory).vectordb }];
}

/** Lists the places of stores whose settings the environment no longer completes. */
function listNamed({ graphdb, vectordb }: StoreSettings): Place[] {
  const graph = graphdb?.uri === undefined ? UNKNOWN_PLACE : showPlace(graphdb.uri, graphdb.database);
  return [
    ...(graphdb === undefined
      ? []
      : [{ store: 'graphdb' as const, place: graph, key: JSON.stringify(graphdb) }]),
    ...(vectordb === undefined
      ? []
      : [
          { store: 'vectordb' as const, place: showIndex(vectordb.indexName), key: JSON.stringify(vectordb) },
        ]),
  ];
}

export interface ReplacedStores {
  readonly former: readonly KnownFormerStore[];
  /** The stores that are replaced. */
  readonly from: StoreSettings;
  readonly to: StoreSettings;
  readonly resolve: Resolve;
  /** The graph of `from`; undefined if it cannot be opened. */
  readonly graph: Pick<MemoryGraph, 'listUsers'> | undefined;
  readonly replacedAt: string;
}

/** Lists the former stores after a change, the latest first. A place that is in use again is not among them. Throws nothing. */
export async function addReplaced(replaced: ReplacedStores): Promise<KnownFormerStore[]> {
  const { former, from, to, resolve, graph, replacedAt } = replaced;
  const inUse = new Set(listPlaces(to, resolve).map(({ key }) => key));
  const left = listPlaces(from, resolve).filter(({ key }) => !inUse.has(key));
  const added = await Promise.all(
    left.map(async (place): Promise<KnownFormerStore> => {
      const users = graph && (await countUsers(graph, KINDS[place.store]));
      const held =
        users === undefined ? { heldMemories: 'unknown' as const } : { heldMemories: users > 0, users };
      return { ...place, replacedAt, ...held };
    }),
  );
  const others = new Set([...inUse, ...left.map(({ key }) => key)]);
  const all = [...added, ...former.filter(({ key }) => !others.has(key))];
  // Those that held nothing are forgotten first.
  const holding = all.length > MAX_FORMER ? all.filter(mayHold) : all;
  return holding.slice(0, MAX_FORMER);
}

/** Names stores that an earlier build has replaced, by their settings, unless they are in use. */
export function toFormerStores(
  settings: StoreSettings,
  inUse: StoreSettings,
  resolve: Resolve,
): KnownFormerStore[] {
  const used = new Set(listPlaces(inUse, resolve).map(({ key }) => key));
  const left = listPlaces(settings, resolve).filter(({ key }) => !used.has(key));
  return left.map((place) => ({ ...place, heldMemories: 'unknown' }));
}

/** Whether a former store held memories, or could not be asked. Pure. */
export function mayHold({ heldMemories }: FormerStore): boolean {
  return heldMemories !== false;
}

/** Leaves out the key. Pure. */
export function showFormer({ key: _, ...shown }: KnownFormerStore): FormerStore {
  return shown;
}

/** @returns undefined if the graph cannot be asked in time */
async function countUsers(
  graph: Pick<MemoryGraph, 'listUsers'>,
  kinds: readonly MemoryKind[],
): Promise<number | undefined> {
  const listed = Promise.all(kinds.map((kind) => graph.listUsers(kind, { limit: MAX_COUNTED })));
  const users = await withinTime(listed, LIMIT_MS).catch(() => undefined);
  return users && Math.min(MAX_COUNTED, new Set(users.flat()).size);
}

/** The address and the database, without a user or a password. */
function showPlace(uri: string, database: string | undefined): string {
  const { protocol, host } = new URL(uri);
  return `${protocol}//${host}${database === undefined ? '' : `/${database}`}`;
}

function showIndex(name = UNKNOWN_PLACE): string {
  return `pinecone:${name}`;
}
