import type { SecretBox } from '../../secrets/secret-box';
import type { StoredDocument, TenantDocuments } from '../../stores/documents';
import { pagesUnder } from '../../stores/list-under';
import type { UserMemories } from '../../stores/memory/memory-graph';
import { FACTS } from '../facts/fact-log';
import {
  type ArchivedMemory,
  CONSOLIDATIONS,
  COPIES,
  expiryOf,
  openCopy,
  type StoredConsolidation,
  type StoredCopy,
} from '../upkeep/archive';
import type { OwnerKeys } from './owner-keys';

export type OwnedDocuments = Pick<TenantDocuments, 'get' | 'list' | 'write'>;

export interface MoveOwnedPorts {
  readonly documents: OwnedDocuments;
  readonly secrets: SecretBox;
  readonly graph: Pick<UserMemories, 'getMany'>;
  /** The pseudonym of the graph. */
  readonly place: string;
  readonly factKeys: OwnerKeys;
  readonly archiveKeys: OwnerKeys;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

/** Has a document for each graph under whose keys the facts and copies of its memories are. */
const PLACES = 'memory-graphs';

/**
 * Moves facts and archived memories to the keys of their graph, once. Earlier builds had the settings of vectors in these keys, and
 * the graph may have had another address. Facts belong to the user whose memories say them; copies name their user, and belong to
 * the graph that has a neighbour of one of them. What belongs to no memory of this graph stays. A move may be interrupted and
 * repeated, and several processes may do it at once. Throws what graph and documents throw.
 */
export async function moveOwned(ports: MoveOwnedPorts): Promise<void> {
  const { documents, place } = ports;
  if ((await documents.get(PLACES, place)) !== undefined) return;
  const moved = (await moveFacts(ports)) + (await moveArchive(ports));
  // What was moved is no more under other addresses of this graph, so a return to one of these has to move it again.
  const others = moved === 0 ? [] : (await documents.list(PLACES)).filter(({ key }) => key !== place);
  await documents.write([
    { type: 'put', collection: PLACES, key: place, value: true },
    ...others.map(({ key }) => ({ type: 'delete', collection: PLACES, key }) as const),
  ]);
}

/** Limits documents to uses after `prepare`, which runs at the first one, and again if it failed. */
export function preparedDocuments(documents: OwnedDocuments, prepare: () => Promise<void>): OwnedDocuments {
  let prepared: Promise<void> | undefined;
  const ready = (): Promise<void> =>
    (prepared ??= prepare().catch((error: unknown) => {
      prepared = undefined;
      throw error;
    }));
  return {
    get: (collection, key) => ready().then(() => documents.get(collection, key)),
    list: (collection, options) => ready().then(() => documents.list(collection, options)),
    write: (writes, options) => ready().then(() => documents.write(writes, options)),
  };
}

/** @returns the number of documents that were moved */
async function moveFacts({ documents, graph, factKeys }: MoveOwnedPorts): Promise<number> {
  const owners = new Map<string, string>();
  for await (const page of pagesUnder(documents, FACTS, '')) {
    const unknown = page.map(({ key }) => splitKey(key)).filter(({ owner }) => !owners.has(owner));
    const nodes = await graph.getMany(unknown.map(({ rest }) => rest));
    for (const { owner, rest } of unknown) {
      const userId = nodes.get(rest)?.userId;
      if (userId !== undefined) owners.set(owner, factKeys.of(userId));
    }
  }
  return move(documents, FACTS, owners);
}

/** Undefined for a copy that was sealed with a former key. */
function tryToOpen(secrets: SecretBox, copy: StoredCopy): ArchivedMemory | undefined {
  try {
    return openCopy(secrets, copy);
  } catch {
    return undefined;
  }
}

/** @returns the number of documents that were moved */
async function moveArchive({ documents, secrets, graph, archiveKeys, now }: MoveOwnedPorts): Promise<number> {
  const owners = new Map<string, string>();
  const began = new Map<string, number>();
  for await (const page of pagesUnder<StoredConsolidation>(documents, CONSOLIDATIONS, ''))
    for (const { key, value } of page) began.set(key, value.at);
  for await (const page of pagesUnder<StoredCopy>(documents, COPIES, ''))
    for (const { key, value } of page) {
      const { owner } = splitKey(key);
      const copy = owners.has(owner) ? undefined : tryToOpen(secrets, value);
      if (copy === undefined) continue;
      const { userId } = copy.node;
      const { previous, next } = copy.neighbours;
      const isHere =
        archiveKeys.former(userId).includes(owner) ||
        (await graph.getMany([previous, next].filter((id) => id !== undefined))).size > 0;
      if (isHere) owners.set(owner, archiveKeys.of(userId));
    }
  const beganAt = (key: string): number => began.get(key.split('/').slice(0, 2).join('/')) ?? now();
  let moved = 0;
  for (const collection of [COPIES, CONSOLIDATIONS] as const)
    moved += await move(documents, collection, owners, ({ key }) => expiryOf(collection, beganAt(key)));
  return moved;
}

/**
 * Moves documents to other owners.
 * @param expiryOf the time at which a document expires; absent: never
 * @returns the number of documents that were moved
 */
async function move(
  documents: OwnedDocuments,
  collection: string,
  owners: ReadonlyMap<string, string>,
  expiryOf?: (document: StoredDocument) => number,
): Promise<number> {
  let moved = 0;
  for await (const page of pagesUnder(documents, collection, ''))
    for (const document of page) {
      const { owner, rest } = splitKey(document.key);
      const to = owners.get(owner);
      if (to === undefined || to === owner) continue;
      const { key: from, value, version } = document;
      const key = `${to}/${rest}`;
      const remove = { type: 'delete', collection, key: from, ifVersion: version } as const;
      const expiry = expiryOf === undefined ? {} : { expiresAt: expiryOf(document) };
      const put = { type: 'put', collection, key, value, ifVersion: 0, ...expiry } as const;
      const written = await documents.write([put, remove]);
      // What is under the new key is newer.
      if (!written && (await documents.get(collection, key)) !== undefined) await documents.write([remove]);
      moved += 1;
    }
  return moved;
}

function splitKey(key: string): { readonly owner: string; readonly rest: string } {
  const end = key.indexOf('/');
  return { owner: key.slice(0, end), rest: key.slice(end + 1) };
}
