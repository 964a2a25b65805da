import type { Config } from '../settings/config';
import { createEmbedders } from '../factories/create-embedders';
import { newId } from '../base/ids';
import type { Logger } from '../base/logger';
import { NO_METRICS, type Metrics } from '../base/metrics';
import type { Pseudonyms } from '../secrets/pseudonyms';
import type { Signer } from '../secrets/signer';
import type { SecretBox } from '../secrets/secret-box';
import type { DocumentStore, TenantDocuments } from '../stores/documents';
import { checkNamed, createAddressCheck } from './stores/check-named';
import { createStoreConfiguration, type StoreConfiguration } from './stores/configuration';
import { createCurrentStores } from './stores/current-stores';
import { addReplaced, toFormerStores } from './stores/former-stores';
import { createLivingProcesses } from './stores/living-processes';
import { createStoreRecords, effectiveSettings } from './stores/record';
import { createStoreChanges } from './stores/store-changes';
import { resolveStores, type StoreSettings } from './stores/settings';
import type { Memory } from './service/create-memory';
import { type OpenStores, openStores, type MemoryBackends } from './service/open-stores';
import { createErasureReceipts, type ErasureReceipts } from './erasure-receipts';
import { createErasures, type Erasures } from './erasures';
import { CONSOLIDATION_PASS, createConsolidationPass, type ConsolidationPass } from './upkeep/pass';
import { createPassCursor } from './upkeep/pass-cursor';
import { REDRAW_PASS } from './upkeep/redraw-pass';
import type { FactRules } from './facts/facts';
import { callerResolver } from '../egress/dispatcher';

export interface MemorySystemPorts {
  readonly config: Config;
  readonly backends: MemoryBackends;
  readonly logger: Logger;
  readonly pseudonyms: Pseudonyms;
  readonly secrets: SecretBox;
  /** Signs receipts of erasures. */
  readonly signer: Signer;
  readonly documents: DocumentStore;
  /** The rules that read facts. Default: none are drawn. */
  readonly factRules?: FactRules | undefined;
  /** Whether a model draws facts too. Default: false. */
  readonly factsByModel?: boolean;
  /** Default: the metrics are not recorded. */
  readonly metrics?: Metrics;
  /** Epoch milliseconds by the clock of the Temporal server, as all processes compare them. Default: the clock of this machine. */
  readonly clock?: () => number;
}

/** Opens a memory for each piece of work. */
export interface OpensMemory {
  /**
   * Opens the memory, which is at hand once the stores are open. Callers ask for it again for each request: when other stores replace
   * these, it refuses writes for ever, and soon after reads too.
   * @throws HoldfastError `STORE_UNAVAILABLE` if the stores in use cannot be determined
   */
  open(): Promise<Memory>;
}

/** The memories of a tenant in the stores that are in use now. */
export interface TenantMemorySystem extends OpensMemory {
  readonly erasures: Erasures;
  readonly receipts: ErasureReceipts;
  /** Consolidates the memories of all users. */
  readonly consolidationPass: ConsolidationPass;
}

export interface TenantMemoryPorts {
  readonly tenant: string;
  /** Those of the tenant, like `pseudonyms`. */
  readonly documents: TenantDocuments;
  readonly pseudonyms: Pseudonyms;
}

/** The memory system: which stores are in use, for all tenants. */
export interface MemorySystem {
  of(ports: TenantMemoryPorts): TenantMemorySystem;
  /** Opens the stores in use, for work over all tenants. Throws as `OpensMemory.open`. */
  openStores(): Promise<OpenStores>;
  readonly configuration: StoreConfiguration;
  close(): Promise<void>;
}

/** The pause between two reads of the record: of a file on this machine, and of a server; milliseconds. */
const LOOK_EVERY_MS = { file: 250, server: 1_000 };

/** Creates the memory system. It opens nothing yet: the first use opens the stores. */
export function createMemorySystem(ports: MemorySystemPorts): MemorySystem {
  const {
    config,
    logger,
    secrets,
    signer,
    documents,
    factRules,
    factsByModel = false,
    metrics = NO_METRICS,
    clock = Date.now,
  } = ports;
  const now = (): number => performance.now();
  const resolve = (settings: StoreSettings) => resolveStores(config, settings);
  const checkAddress = createAddressCheck(callerResolver(config.EGRESS_DNS));
  const current = createCurrentStores({
    open: (settings, embedders, mayWrite) =>
      openStores({ ...ports, factRules, factsByModel, metrics, settings, embedders, mayWrite }),
    openEmbedders: (settings) => createEmbedders(settings, logger),
    mayWrite: () => changes.mayWrite(),
    ...{ resolve, checkAddress, logger },
  });
  const records = createStoreRecords({
    documents,
    secrets,
    toFormer: (settings, inUse) => toFormerStores(settings, inUse, resolve),
  });
  const changes = createStoreChanges({
    records,
    processes: createLivingProcesses({ documents, newId, now }),
    everyMs: config.neo4j === undefined ? LOOK_EVERY_MS.file : LOOK_EVERY_MS.server,
    isIdle: () => current.isIdle(),
    formerAfter: ({ former, ...before }, next) => {
      const [from, to] = [before, next].map(effectiveSettings) as [StoreSettings, StoreSettings];
      const graph = current.now()?.graph;
      return addReplaced({ former, from, to, resolve, graph, replacedAt: new Date().toISOString() });
    },
    switchTo: (record) =>
      current.open(record).then(
        () => undefined,
        () => undefined,
      ),
    ...{ newId, now, logger },
  });
  const open = async (): Promise<OpenStores> => current.open(await changes.record());
  const configuration = createStoreConfiguration({
    ...{ changes, current, open, resolve, checkAddress },
    checkNamed: (settings) => checkNamed(config, settings),
    allowPrivate: config.EGRESS_ALLOW_PRIVATE,
  });
  return {
    of({ tenant, ...tenantParts }) {
      const openOwn = async (): Promise<Memory> => (await open()).of(tenant);
      const receipts = createErasureReceipts({ ...tenantParts, signer, now: clock });
      const passPorts = { documents: tenantParts.documents, secrets, logger, now: clock };
      return {
        open: openOwn,
        receipts,
        consolidationPass: createConsolidationPass({ ...passPorts, open: openOwn, newId }),
        erasures: createErasures({
          ...tenantParts,
          open: openOwn,
          formerStores: () => configuration.formerStores(),
          secrets,
          receipts,
          passCursors: [CONSOLIDATION_PASS, REDRAW_PASS].map((pass) => createPassCursor(passPorts, pass)),
          newId,
          now: clock,
        }),
      };
    },
    openStores: open,
    configuration,
    async close() {
      await changes.stop();
      // The counted reads are written while this process still may.
      await current.close().finally(() => changes.leave());
    },
  };
}
