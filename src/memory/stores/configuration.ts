import { HoldfastError, isHoldfastError, validationError } from '../../base/errors';
import { CONFLICT, untilNoConflict } from '../../stores/compare-and-set';
import type { Memory } from '../service/create-memory';
import type { MemorySettings } from '../service/memory-settings';
import { connectTo, type Reached } from './connect';
import { findDataInPreviousStores, type StoreWithData } from './previous-stores';
import type { RefCountedPool } from '../service/ref-counted-pool';
import { distinctStores, type MemoryStores } from './memory-stores';
import { type Initialization, effectiveSettings, type StoreRecord, type StoreRecords } from './record';
import type { Area, ResolvedStores, StoreSettings } from './settings';
import { memoryUnavailable, toReason } from './unavailable';
import { untilLoaded } from './wait-for-model';
import { startTimeLimit } from '../../base/async/time-limit';
import { untilAborted } from '../../base/async/until-aborted';
import type { CONNECTIVITY } from '../../contracts/http/agent';

/** Time limit of each check, milliseconds. */
const LIMIT_MS = 2_000;

export interface Connected extends Reached {
  /** The stores that keep memories which are not found from now on; empty if there are none. */
  readonly leftBehind: readonly StoreWithData[];
}

/**
 * The configuration of the stores of memories, shared by all processes. The initializations of the agent and of memory
 * chat set it. All methods throw `STORE_UNAVAILABLE` (retryable) if the service's own store cannot be reached.
 */
export interface StoreConfiguration {
  /**
   * Combines these settings with the earlier ones, connects to the resulting stores, and then has every process use
   * them. If that fails, nothing changes.
   * @throws HoldfastError `MEMORY_UNAVAILABLE` with details `{ service, reason }`; `VALIDATION` if a setting is
   * missing in the environment too, and for settings that a caller may not name
   */
  initialize(area: Area, settings: StoreSettings, signal: AbortSignal): Promise<Connected>;
  isInitialized(area: Area): Promise<boolean>;
  /** Whether an initialization named other stores than those of the environment. */
  isChanged(): Promise<boolean>;
  /** @throws HoldfastError `AGENT_NOT_INITIALIZED`, `MEMORY_CHAT_NOT_INITIALIZED` */
  requireInitialized(area: Area): Promise<void>;
  /** Checks the stores in use now, within two seconds. Throws nothing. */
  connectivity(): Promise<Connectivity>;
}

export interface StoreConfigurationPorts {
  readonly records: StoreRecords;
  readonly stores: MemoryStores<Memory>;
  readonly memories: RefCountedPool<MemorySettings, Memory>;
  readonly resolve: (settings: StoreSettings) => ResolvedStores;
  /**
   * Refuses settings that a caller may not name. @throws HoldfastError `VALIDATION`; its field begins with the
   * section's name
   */
  readonly checkNamed: (settings: StoreSettings) => void;
  readonly checkAddress: (stores: ResolvedStores) => Promise<void>;
  /**
   * Whether an address that a caller names may be private or loopback. It is stored with the address for the workers.
   */
  readonly allowPrivate: boolean;
}

/** The field of each area's request body that has these settings. */
const BODY_FIELD: Readonly<Record<Area, string>> = { agent: 'memoryConfig', 'memory-chat': 'config' };
/** Maximum number of previous stores that are remembered because they may still contain memories. */
const MAX_PREVIOUS = 20;

export function createStoreConfiguration(ports: StoreConfigurationPorts): StoreConfiguration {
  const { records, stores, memories, resolve, checkNamed, checkAddress, allowPrivate } = ports;

  /**
   * Keeps the stores open until `work` is done and no model is being loaded, so that the next request finds them open.
   */
  async function withConnection<T>(
    resolved: ResolvedStores,
    signal: AbortSignal,
    work: (reached: Reached) => Promise<T>,
  ): Promise<T> {
    await checkAddress(resolved);
    const handle = acquireStores(memories, resolved);
    try {
      return await work(await connectTo(handle.value, resolved, signal));
    } finally {
      void untilLoaded(handle.value.embedders)
        .then(() => handle.release())
        .catch(() => undefined);
    }
  }

  /** An initialization by another process counts at once: a record that is known and lacks it is read again. */
  async function isInitialized(area: Area): Promise<boolean> {
    const isIn = ({ initializations }: StoreRecord) => initializations.some((each) => each.area === area);
    return isIn(await records.read()) || isIn(await records.readNow());
  }

  return {
    initialize: (area, settings, signal) =>
      untilNoConflict('where memories are kept', async () => {
        const before = await records.readNow();
        const permitted = withPermission(settings, allowPrivate);
        const initialization = { area, at: new Date().toISOString(), settings: permitted };
        const after = withInitialization(before, initialization);
        const resolved = withBodyField(area, () => resolve(effectiveSettings(after)));
        withBodyField(area, () => checkNamed(settings));
        return withConnection(resolved, signal, async (reached) => {
          const leftBehind = await findDataInPreviousStores({ before, resolved, resolve, memories });
          const record = { ...after, previous: findPreviousStores(before, after, resolve) };
          if (!(await records.write(record))) return CONFLICT;
          // This process switches while the stores are open. The record is written, so a failure here does not matter.
          await stores.use(() => Promise.resolve()).catch(() => undefined);
          return { ...reached, leftBehind };
        });
      }),
    isInitialized,
    async isChanged() {
      const record = await records.read();
      return record.unreadable !== undefined || Object.keys(effectiveSettings(record)).length > 0;
    },
    async requireInitialized(area) {
      if (!(await isInitialized(area))) throw notInitialized(area);
    },
    connectivity: () => readConnectivity(stores),
  };
}

function withPermission(settings: StoreSettings, allowPrivate: boolean): StoreSettings {
  const { graphdb } = settings;
  return graphdb?.uri === undefined ? settings : { ...settings, graphdb: { ...graphdb, allowPrivate } };
}

/** Adds an initialization as the latest of all, in place of the earlier one of its area. Pure. */
function withInitialization(record: StoreRecord, initialization: Initialization): StoreRecord {
  const others = record.initializations.filter(({ area }) => area !== initialization.area);
  return { ...record, initializations: [initialization, ...others] };
}

/** The stores that were in use before and are no longer, each once. */
function findPreviousStores(
  before: StoreRecord,
  after: StoreRecord,
  resolve: (settings: StoreSettings) => ResolvedStores,
): StoreSettings[] {
  const [, ...previous] = distinctStores(
    [after, before].map(effectiveSettings).concat(before.previous),
    resolve,
  );
  return previous.slice(0, MAX_PREVIOUS).map(({ embedding: _, ...places }) => places);
}

function acquireStores(memories: RefCountedPool<MemorySettings, Memory>, { memory }: ResolvedStores) {
  try {
    return memories.acquire(memory);
  } catch (error) {
    // No connection is made yet: the name or the key is invalid.
    if (!isHoldfastError(error)) throw error;
    const service = error.details?.['service'] === 'vectordb' ? 'vectordb' : 'embedder';
    throw memoryUnavailable(service, toReason(error), error);
  }
}

function withBodyField<T>(area: Area, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!isHoldfastError(error) || error.code !== 'VALIDATION') throw error;
    const { field, message } = error.details ?? {};
    throw validationError(`${BODY_FIELD[area]}.${String(field)}`, String(message));
  }
}

function notInitialized(area: Area): HoldfastError {
  const hint = `Call POST /api/${area}/initialize first; an empty body takes the configured stores`;
  return area === 'agent'
    ? new HoldfastError('AGENT_NOT_INITIALIZED', hint)
    : new HoldfastError('MEMORY_CHAT_NOT_INITIALIZED', hint);
}

interface StoreConnectivity {
  readonly state: (typeof CONNECTIVITY)[number];
  /** The reason, with what to check; present if the store is unavailable. */
  readonly reason?: string;
}

interface Connectivity {
  readonly graphdb: StoreConnectivity;
  readonly vectordb: StoreConnectivity;
}

/** Checks both stores now. Throws nothing. */
async function readConnectivity({ use }: MemoryStores<Memory>): Promise<Connectivity> {
  const limit = startTimeLimit({
    signal: new AbortController().signal,
    timeoutMs: LIMIT_MS,
    timedOut: () =>
      new HoldfastError('STORE_UNAVAILABLE', `it did not answer within ${LIMIT_MS / 1_000} seconds`),
  });
  const ask = (store: 'graphdb' | 'vectordb'): Promise<StoreConnectivity> =>
    untilAborted(
      use((memory) => pingStore(memory, store, limit.signal)),
      limit.signal,
    ).catch((error: unknown) => ({ state: 'unavailable', reason: toReason(error) }));
  try {
    const [graphdb, vectordb] = await Promise.all([ask('graphdb'), ask('vectordb')]);
    return { graphdb, vectordb };
  } finally {
    limit.end();
  }
}

async function pingStore(
  { graph, index, hasSemantic }: Memory,
  store: 'graphdb' | 'vectordb',
  signal: AbortSignal,
): Promise<StoreConnectivity> {
  if (store === 'vectordb' && !hasSemantic) return { state: 'not configured' };
  if (store === 'vectordb' && index !== undefined) await index.ping(signal);
  else await graph.ping();
  return { state: 'connected' };
}
