import { startTimeLimit, untilAborted } from '../../base/async/time-limit';
import { HoldfastError, isHoldfastError, validationError } from '../../base/errors';
import type { CONNECTIVITY } from '../../contracts/http/agent';
import { CONFLICT, untilNoConflict } from '../../stores/compare-and-set';
import type { OpenStores } from '../service/open-stores';
import { connectTo, type Reached, memoryUnavailable, toReason } from './connect';
import type { CurrentStores } from './current-stores';
import { type FormerStore, showFormer } from './former-stores';
import { effectiveSettings, type Initialization, type StoreRecord } from './record';
import {
  type Area,
  isMeantBy,
  type NamedStores,
  nameStores,
  type ResolvedStores,
  type StoreSettings,
} from './settings';
import type { StoreChanges } from './store-changes';

/** Time limit of each check, milliseconds. */
const LIMIT_MS = 2_000;
/** How long an initialization waits for a change of stores, milliseconds. */
const CHANGED_WITHIN_MS = 60_000;

export interface Connected extends Reached {
  /** The stores that were in use before, the latest first. */
  readonly formerStores: readonly FormerStore[];
}

export interface InitializeOptions {
  /** Whether other stores than those that were named before may replace them. */
  readonly replace: boolean;
  readonly signal: AbortSignal;
}

/**
 * The configuration of the stores of memories, shared by all processes. The initializations of the agent and of memory
 * chat set it. All methods throw `STORE_UNAVAILABLE` (retryable) if the service's own store cannot be reached.
 */
export interface StoreConfiguration {
  /**
   * Connects to the stores in use, or to those that this initialization names, and has every process use these. If that fails,
   * nothing changes.
   * @throws HoldfastError `MEMORY_UNAVAILABLE` with details `{ service, reason }`; `STORES_ALREADY_SET` with details
   * `{ sections }` for other stores than those that were named before; `VALIDATION` if a setting is missing in the
   * environment too, and for settings that a caller may not name; `STORE_UNAVAILABLE` (retryable) while processes
   * still end their writes: a repeat waits for the same change
   */
  initialize(area: Area, named: NamedStores, options: InitializeOptions): Promise<Connected>;
  isInitialized(area: Area): Promise<boolean>;
  /** Whether an initialization named other stores than those of the environment. */
  isChanged(): Promise<boolean>;
  /** @throws HoldfastError `AGENT_NOT_INITIALIZED`, `MEMORY_CHAT_NOT_INITIALIZED` */
  requireInitialized(area: Area): Promise<void>;
  /** The stores that were in use before, the latest first. */
  formerStores(): Promise<readonly FormerStore[]>;
  /** Checks the stores in use now, within two seconds. Throws nothing. */
  connectivity(): Promise<Connectivity>;
}

export interface StoreConfigurationPorts {
  readonly changes: StoreChanges;
  readonly current: Pick<CurrentStores, 'tryOut'>;
  readonly open: () => Promise<OpenStores>;
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

export function createStoreConfiguration(ports: StoreConfigurationPorts): StoreConfiguration {
  const { changes, current, open, resolve, checkNamed, checkAddress, allowPrivate } = ports;

  /** An initialization by another process counts at once: a record that is known and lacks it is read again. */
  async function isInitialized(area: Area): Promise<boolean> {
    const isIn = ({ initializations }: StoreRecord) => initializations.some((each) => each.area === area);
    return isIn(await changes.record()) || isIn(await changes.readNow());
  }

  /** @returns the settings after an initialization @throws HoldfastError `STORES_ALREADY_SET` */
  function settingsAfter(
    before: StoreRecord,
    area: Area,
    named: NamedStores,
    replace: boolean,
  ): StoreSettings {
    if (before.unreadable !== undefined && !replace) throw before.unreadable;
    return withBodyField(area, () => {
      const { settings, differing } = nameStores(
        effectiveSettings(before),
        withPermission(named, allowPrivate),
        resolve,
      );
      checkNamed(withoutNull(named));
      if (differing.length > 0 && !replace) throw alreadySet(differing);
      return settings;
    });
  }

  async function setStores(
    area: Area,
    named: NamedStores,
    { replace, signal }: InitializeOptions,
  ): Promise<Connected | typeof CONFLICT> {
    const before = await changes.settled(signal);
    const settings = settingsAfter(before, area, named, replace);
    const resolved = withBodyField(area, () => resolve(settings));
    await checkAddress(resolved);
    return current
      .tryOut(resolved.memory, async (stores) => {
        const reached = await connectTo(stores, resolved, signal);
        const initializations = withInitialization(before, area, settings);
        const isSame =
          before.unreadable === undefined && isMeantBy(effectiveSettings(before), resolved, resolve);
        const isSet = isSame
          ? await changes.note({ ...before, initializations })
          : await changes.change(before, initializations, signal);
        if (!isSet) return CONFLICT;
        return { ...reached, formerStores: (await changes.record()).former.map(showFormer) };
      })
      .catch((error: unknown) => {
        throw isHoldfastError(error) && error.code === 'CONFIGURATION' ? notOpened(error) : error;
      });
  }

  return {
    async initialize(area, named, { replace, signal }) {
      const limit = startTimeLimit({ signal, timeoutMs: CHANGED_WITHIN_MS, timedOut: stillChanging });
      try {
        return await untilNoConflict('where memories are kept', () =>
          setStores(area, named, { replace, signal: limit.signal }),
        );
      } finally {
        limit.end();
      }
    },
    isInitialized,
    async isChanged() {
      const record = await changes.record();
      return record.unreadable !== undefined || Object.keys(effectiveSettings(record)).length > 0;
    },
    async requireInitialized(area) {
      if (!(await isInitialized(area))) throw notInitialized(area);
    },
    formerStores: async () => (await changes.record()).former.map(showFormer),
    connectivity: () => readConnectivity(open),
  };
}

function withPermission(named: NamedStores, allowPrivate: boolean): NamedStores {
  const { graphdb } = named;
  return graphdb?.uri === undefined ? named : { ...named, graphdb: { ...graphdb, allowPrivate } };
}

function withoutNull(named: NamedStores): StoreSettings {
  return Object.fromEntries(Object.entries(named).filter(([, section]) => section !== null));
}

/**
 * Adds an initialization as the latest of all, in place of the earlier one of its area. The latest has all settings, as builds before
 * 1.1 combine those of all areas. Pure.
 */
function withInitialization(record: StoreRecord, area: Area, settings: StoreSettings): Initialization[] {
  const others = record.initializations.filter((each) => each.area !== area);
  return [
    { area, at: new Date().toISOString(), settings },
    ...others.map(({ area: other, at }) => ({ area: other, at, settings: {} })),
  ];
}

/** No connection is made yet: the name or the key is invalid. */
function notOpened(error: HoldfastError): HoldfastError {
  const service = error.details?.['service'] === 'vectordb' ? 'vectordb' : 'embedder';
  return memoryUnavailable(service, toReason(error), error);
}

function alreadySet(sections: readonly string[]): HoldfastError {
  const hint =
    'an empty body takes the stores in use, and "replace": true has all processes use the named ones';
  return new HoldfastError(
    'STORES_ALREADY_SET',
    `Other stores of memories were named before (${sections.join(', ')}): ${hint}`,
    { details: { sections } },
  );
}

function stillChanging(): HoldfastError {
  const reason = `processes still end their writes after ${CHANGED_WITHIN_MS / 1_000} s; the same request waits on`;
  return new HoldfastError('STORE_UNAVAILABLE', `The stores of memories are being changed: ${reason}`, {
    retryable: true,
    details: { service: 'graphdb', reason },
  });
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
async function readConnectivity(open: () => Promise<OpenStores>): Promise<Connectivity> {
  const limit = startTimeLimit({
    signal: new AbortController().signal,
    timeoutMs: LIMIT_MS,
    timedOut: () =>
      new HoldfastError('STORE_UNAVAILABLE', `it did not answer within ${LIMIT_MS / 1_000} seconds`),
  });
  const ask = (store: 'graphdb' | 'vectordb'): Promise<StoreConnectivity> =>
    untilAborted(
      open().then((stores) => pingStore(stores, store, limit.signal)),
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
  { graph, index, hasSemantic }: OpenStores,
  store: 'graphdb' | 'vectordb',
  signal: AbortSignal,
): Promise<StoreConnectivity> {
  if (store === 'vectordb' && !hasSemantic) return { state: 'not configured' };
  if (store === 'vectordb' && index !== undefined) await index.ping(signal);
  else await graph.ping();
  return { state: 'connected' };
}
