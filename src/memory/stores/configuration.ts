import { HoldfastError, isHoldfastError, validationError } from '../../base/errors';
import { CONFLICT, untilNoConflict } from '../../stores/compare-and-set';
import type { Memory } from '../service/create-memory';
import type { MemorySettings } from '../service/memory-settings';
import { connectTo, type Reached } from './connect';
import { findLeftBehind, type LeftBehind } from './left-behind';
import type { RefCountedPool } from '../service/ref-counted-pool';
import { distinct, type MemoryStores } from './memory-stores';
import { type Initialization, settingsOf, type StoreRecord, type StoreRecords } from './record';
import { type Area, type ResolvedStores, type StoreSettings } from './settings';
import { type Connectivity, readConnectivity } from './status';
import { memoryUnavailable, reasonOf } from './unavailable';
import { whenLoaded } from './wait-for-model';

export interface Connected extends Reached {
  /** Where memories stay that were written before, and are not found from now on; empty where nothing does. */
  readonly leftBehind: readonly LeftBehind[];
}

/**
 * Where memories are kept, one configuration for all processes, which the initializations of the agent and of memory
 * chat set. All methods throw `STORE_UNAVAILABLE` (retryable) where the service's own store cannot be reached.
 */
export interface StoreConfiguration {
  /**
   * Connects to the stores that these settings make of what was set before, and then has every process use them; where
   * that fails, nothing has changed.
   * @throws HoldfastError `MEMORY_UNAVAILABLE` with details `{ service, reason }`; `VALIDATION` where something is
   * missing that the environment does not have either, and for what a caller may not name
   */
  initialize(area: Area, settings: StoreSettings, signal: AbortSignal): Promise<Connected>;
  isInitialized(area: Area): Promise<boolean>;
  /** Whether an initialization named other stores than the environment has. */
  isChanged(): Promise<boolean>;
  /** @throws HoldfastError `AGENT_NOT_INITIALIZED`, `MEMORY_CHAT_NOT_INITIALIZED` */
  requireInitialized(area: Area): Promise<void>;
  /** Asks the stores in use now, within two seconds. Throws nothing. */
  connectivity(): Promise<Connectivity>;
}

export interface StoreConfigurationPorts {
  readonly records: StoreRecords;
  readonly stores: Pick<MemoryStores, 'use'>;
  readonly memories: RefCountedPool<MemorySettings, Memory>;
  readonly resolve: (settings: StoreSettings) => ResolvedStores;
  /** Refuses what a caller may not name. @throws HoldfastError `VALIDATION` whose field begins with the section's name */
  readonly checkNamed: (settings: StoreSettings) => void;
  readonly checkAddress: (stores: ResolvedStores) => Promise<void>;
  /** Whether an address that a caller names may be private or loopback; written down with it for the workers. */
  readonly allowPrivate: boolean;
}

/** Where each area's body has these settings. */
const BODY_FIELD: Readonly<Record<Area, string>> = { agent: 'memoryConfig', 'memory-chat': 'config' };
/** Stores that are remembered because they may hold memories still. */
const MAX_FORMER = 20;

export function createStoreConfiguration(ports: StoreConfigurationPorts): StoreConfiguration {
  const { records, stores, memories, resolve, checkNamed, checkAddress, allowPrivate } = ports;

  /** Holds the stores open until `work` is done and no model is on its way any more: whoever comes next finds them so. */
  async function connected<T>(
    resolved: ResolvedStores,
    signal: AbortSignal,
    work: (reached: Reached) => Promise<T>,
  ): Promise<T> {
    await checkAddress(resolved);
    const handle = openFrom(memories, resolved);
    try {
      return await work(await connectTo(handle.value, resolved, signal));
    } finally {
      void whenLoaded(handle.value.embedders)
        .then(() => handle.release())
        .catch(() => undefined);
    }
  }

  async function isInitialized(area: Area): Promise<boolean> {
    return (await records.read()).initializations.some((each) => each.area === area);
  }

  return {
    initialize: (area, settings, signal) =>
      untilNoConflict('where memories are kept', async () => {
        const before = await records.readNow();
        const permitted = withPermission(settings, allowPrivate);
        const initialization = { area, at: new Date().toISOString(), settings: permitted };
        const after = withInitialization(before, initialization);
        const resolved = inBody(area, () => resolve(settingsOf(after)));
        inBody(area, () => checkNamed(settings));
        return connected(resolved, signal, async (reached) => {
          const leftBehind = await findLeftBehind({ before, resolved, resolve, memories });
          const record = { ...after, former: formerOf(before, after, resolve) };
          if (!(await records.write(record))) return CONFLICT;
          // This process goes over while the stores are open. That it counts is settled.
          await stores.use(() => Promise.resolve()).catch(() => undefined);
          return { ...reached, leftBehind };
        });
      }),
    isInitialized,
    async isChanged() {
      const record = await records.read();
      return record.unreadable !== undefined || Object.keys(settingsOf(record)).length > 0;
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

/** The record with this as the last initialization of its area, and of all. Pure. */
export function withInitialization(record: StoreRecord, initialization: Initialization): StoreRecord {
  const others = record.initializations.filter(({ area }) => area !== initialization.area);
  return { ...record, initializations: [initialization, ...others] };
}

/** Stores that were in use before and are not any more, each once. */
function formerOf(
  before: StoreRecord,
  after: StoreRecord,
  resolve: (settings: StoreSettings) => ResolvedStores,
): StoreSettings[] {
  const [, ...former] = distinct([after, before].map(settingsOf).concat(before.former), resolve);
  return former.slice(0, MAX_FORMER).map(({ embedding: _, ...places }) => places);
}

function openFrom(memories: RefCountedPool<MemorySettings, Memory>, { memory }: ResolvedStores) {
  try {
    return memories.acquire(memory);
  } catch (error) {
    // Nothing is reached yet: a name or a key that none can be.
    if (!isHoldfastError(error)) throw error;
    const service = error.details?.['service'] === 'vectordb' ? 'vectordb' : 'embedder';
    throw memoryUnavailable(service, reasonOf(error), error);
  }
}

function inBody<T>(area: Area, work: () => T): T {
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
