import { computeDigest } from '../base/ids';
import { HoldfastError, validationError } from '../base/errors';
import type { AgentHead, KeptVersion } from '../contracts/http/agents';
import { CONFLICT, untilNoConflict } from '../stores/compare-and-set';
import { type DocumentWrite, MAX_LIST_LIMIT, type TenantDocuments } from '../stores/documents';

/** What the store reads of a definition; it keeps the rest as it is. */
type Described = Pick<AgentHead, 'name' | 'description'>;

/** One version of an agent. */
export interface StoredAgent<D> extends AgentHead {
  readonly definition: D;
  /** All versions that are kept, the oldest first. */
  readonly versions: readonly KeptVersion[];
}

/** The named agents of a tenant. All methods throw `STORE_UNAVAILABLE` (retryable). */
export interface AgentStore<D extends Described> {
  /** @param version absent: the current one @throws HoldfastError `AGENT_NOT_FOUND` */
  get(id: string, version?: number): Promise<StoredAgent<D>>;
  /** In the order of their ids. */
  list(): Promise<AgentHead[]>;
  /**
   * Stores a definition as the next version of an agent. A definition that is equal to the current one changes nothing.
   * @throws HoldfastError `VALIDATION` if the tenant has too many agents
   */
  put(id: string, definition: D): Promise<StoredAgent<D>>;
  /** Removes all versions. @throws HoldfastError `AGENT_NOT_FOUND` */
  remove(id: string): Promise<void>;
}

const HEADS = 'agents';
const VERSIONS = 'agent-versions';
const MAX_AGENTS = 200;
const MAX_KEPT = 20;
/** As long as the number of a removed agent's last version is kept, so that no run of it is taken for one of a later agent. */
const REMOVED_FOR_MS = 366 * 86_400_000;

/** The document of an agent. It is small, since each list of agents reads those of all. */
interface StoredHead extends AgentHead {
  readonly versions: readonly KeptVersion[];
  /** By which an equal definition is known. */
  readonly digest: string;
}

/** What is left of an agent that was removed. */
interface Removed {
  readonly removedVersion: number;
}

/** @param now epoch milliseconds @param maxAgents of a tenant */
export function createAgentStore<D extends Described>(
  documents: TenantDocuments,
  now: () => number,
  maxAgents = MAX_AGENTS,
): AgentStore<D> {
  /** Reads the document of an agent once all that was written with it can be read. */
  async function readHead(id: string) {
    const stored = (await documents.getMany<StoredHead | Removed>(HEADS, [id])).get(id);
    const head = stored === undefined || isRemoved(stored.value) ? undefined : stored.value;
    const removed = stored !== undefined && isRemoved(stored.value) ? stored.value.removedVersion : 0;
    return { head, lastVersion: head?.version ?? removed, ifVersion: stored?.version ?? 0 };
  }

  async function listHeads(): Promise<StoredHead[]> {
    const heads: StoredHead[] = [];
    for (let after = ''; ;) {
      const page = await documents.list<StoredHead | Removed>(HEADS, { after });
      heads.push(...page.flatMap(({ value }) => (isRemoved(value) ? [] : [value])));
      const last = page.at(-1);
      if (last === undefined || page.length < MAX_LIST_LIMIT) return heads;
      after = last.key;
    }
  }

  return {
    list: async () => (await listHeads()).map(toHead),

    get: (id, version) =>
      untilNoConflict('the agent', async () => {
        const { head } = await readHead(id);
        if (head === undefined) throw unknownAgent(id);
        const keptVersion = head.versions.find((one) => one.version === (version ?? head.version));
        if (keptVersion === undefined) throw unknownVersion(head, version);
        const stored = await documents.get<D>(VERSIONS, versionKey(id, keptVersion.version));
        // It was removed between the two reads.
        return stored === undefined ? CONFLICT : toStored({ ...head, ...keptVersion }, stored.value);
      }),

    put: (id, definition) =>
      untilNoConflict('the agent', async () => {
        const { head, lastVersion, ifVersion } = await readHead(id);
        const digest = computeDigest(definition);
        if (head?.digest === digest) return toStored(head, definition);
        // Two that are added at once may exceed the limit by one, which is there to bound the number and not to count it.
        if (head === undefined && (await listHeads()).length >= maxAgents)
          throw validationError('id', `There are ${maxAgents} agents already`);
        const version = lastVersion + 1;
        const updatedAt = new Date(now()).toISOString();
        const versions = [...(head?.versions ?? []), { version, updatedAt }];
        const { name, description } = definition;
        const { createdAt = updatedAt } = head ?? {};
        const keptVersions = versions.slice(-MAX_KEPT);
        const next = { id, version, name, description, createdAt, updatedAt, versions: keptVersions, digest };
        const isWritten = await documents.write([
          { type: 'put', collection: HEADS, key: id, value: next satisfies StoredHead, ifVersion },
          { type: 'put', collection: VERSIONS, key: versionKey(id, version), value: definition },
          ...versions.slice(0, -MAX_KEPT).map((one) => deletion(id, one)),
        ]);
        return isWritten ? toStored(next, definition) : CONFLICT;
      }),

    remove: (id) =>
      untilNoConflict('the agent', async () => {
        const { head, ifVersion } = await readHead(id);
        if (head === undefined) throw unknownAgent(id);
        const value: Removed = { removedVersion: head.version };
        const expiresAt = now() + REMOVED_FOR_MS;
        const isWritten = await documents.write([
          { type: 'put', collection: HEADS, key: id, value, ifVersion, expiresAt },
          ...head.versions.map((one) => deletion(id, one)),
        ]);
        return isWritten ? undefined : CONFLICT;
      }),
  };
}

function isRemoved(value: StoredHead | Removed): value is Removed {
  return 'removedVersion' in value;
}

const versionKey = (id: string, version: number): string => `${id}/${version}`;

function deletion(id: string, { version }: KeptVersion): DocumentWrite {
  return { type: 'delete', collection: VERSIONS, key: versionKey(id, version) };
}

function toHead({ digest: _, versions: __, ...head }: StoredHead): AgentHead {
  return head;
}

/** A version that is not the current one has its own name and description. */
function toStored<D extends Described>(head: StoredHead, definition: D): StoredAgent<D> {
  const { name, description } = definition;
  return { ...toHead(head), name, description, versions: head.versions, definition };
}

function unknownAgent(id: string): HoldfastError {
  return new HoldfastError('AGENT_NOT_FOUND', `There is no agent "${id}"`);
}

function unknownVersion({ id, versions }: StoredHead, version: number | undefined): HoldfastError {
  const numbers = versions.map((one) => one.version).join(', ');
  return new HoldfastError(
    'AGENT_NOT_FOUND',
    `The agent "${id}" has no version ${version}; it has ${numbers}`,
  );
}
