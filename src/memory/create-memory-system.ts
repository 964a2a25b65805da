import type { Config } from '../settings/config';
import { callerResolver } from '../egress/caller-resolver';
import type { EmbedderSettings } from '../embeddings/embedder-settings';
import { createEmbedders } from '../factories/create-embedders';
import { newId } from '../base/ids';
import type { Logger } from '../base/logger';
import { NO_METRICS, type Metrics } from '../base/metrics';
import type { Pseudonyms } from '../secrets/pseudonyms';
import type { Signer } from '../secrets/signer';
import type { SecretBox } from '../secrets/secret-box';
import type { DocumentStore, TenantDocuments } from '../stores/documents';
import { createAddressCheck } from './stores/check-address';
import { checkNamed } from './stores/check-named';
import { createStoreConfiguration, type StoreConfiguration } from './stores/configuration';
import { createRefCountedPool } from './service/ref-counted-pool';
import {
  createMemoryStores,
  storesOfTenant,
  type MemoryStores,
  type MemoryStreams,
} from './stores/memory-stores';
import { createStoreRecords } from './stores/record';
import { resolveStores, type StoreSettings } from './stores/settings';
import type { MemoryBackends } from './service/backends';
import { createMemory, type Memory } from './service/create-memory';
import { createErasureReceipts, type ErasureReceipts } from './erasure-receipts';
import { createErasures, type Erasures } from './erasures';
import { CONSOLIDATION_PASS, createConsolidationPass, type ConsolidationPass } from './upkeep/pass';
import { createPassCursor } from './upkeep/pass-cursor';
import { REDRAW_PASS } from './upkeep/redraw-pass';
import type { FactRules } from './facts/facts';
import type { MemorySettings } from './service/memory-settings';
import type { Reindex } from './vectors/reindex';

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
}

/** The memories of a tenant on the stores that are in use now. */
export interface TenantMemorySystem {
  readonly stores: MemoryStores & MemoryStreams;
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

/** The memory system on the stores that are in use now. Which stores these are, and their model, is the same for all tenants. */
export interface MemorySystem {
  of(ports: TenantMemoryPorts): TenantMemorySystem;
  /** The memories of all tenants. */
  readonly allStores: MemoryStores<Memory>;
  readonly configuration: StoreConfiguration;
  readonly reindex: Reindex;
  close(): Promise<void>;
}

/** How long a process assumes that the same stores are in use, if it has to ask a server for them; milliseconds. */
const KNOWN_FOR_MS = 250;

/** Creates the memory system. It opens nothing yet: the first use opens the stores. */
export function createMemorySystem(ports: MemorySystemPorts): MemorySystem {
  const { config, backends, logger, pseudonyms, secrets, signer, documents, metrics = NO_METRICS } = ports;
  const shared = {
    backends,
    logger,
    pseudonyms,
    secrets,
    documents,
    factRules: ports.factRules,
    factsByModel: ports.factsByModel ?? false,
    metrics,
  };
  const embedders = createRefCountedPool(
    (settings: EmbedderSettings) => createEmbedders(settings, logger),
    (opened) => opened.close(),
  );
  const memories = createRefCountedPool(
    (settings: MemorySettings) => createMemory({ ...shared, settings, embedders }),
    (memory) => memory.close(),
  );
  const records = createStoreRecords({
    documents,
    secrets,
    // A file on this machine is read each time.
    knownForMs: config.neo4j === undefined ? 0 : KNOWN_FOR_MS,
  });
  const resolve = (settings: StoreSettings) => resolveStores(config, settings);
  const checkAddress = createAddressCheck(callerResolver(config.EGRESS_DNS));
  const stores = createMemoryStores({ records, memories, resolve, checkAddress, logger });
  return {
    of({ tenant, ...own }) {
      const tenantStores = storesOfTenant(stores, tenant);
      const receipts = createErasureReceipts({ ...own, signer, now: Date.now });
      const passPorts = { documents: own.documents, secrets, logger, now: Date.now };
      return {
        stores: tenantStores,
        receipts,
        consolidationPass: createConsolidationPass({
          ...passPorts,
          use: (work) => tenantStores.use(work),
          newId,
        }),
        erasures: createErasures({
          ...own,
          stores: tenantStores,
          secrets,
          receipts,
          passCursors: [CONSOLIDATION_PASS, REDRAW_PASS].map((pass) => createPassCursor(passPorts, pass)),
          newId,
          now: Date.now,
          logger,
        }),
      };
    },
    allStores: stores,
    configuration: createStoreConfiguration({
      records,
      stores,
      memories,
      resolve,
      checkNamed: (settings) => checkNamed(config, settings),
      checkAddress,
      allowPrivate: config.EGRESS_ALLOW_PRIVATE,
    }),
    reindex: {
      open: (signal, again) => stores.use(({ reindex }) => reindex.open(signal, again)),
      page: (input, signal) => stores.use(({ reindex }) => reindex.page(input, signal)),
      switchTo: (spaceId, store) => stores.use(({ reindex }) => reindex.switchTo(spaceId, store)),
      words: (input, signal) => stores.use(({ reindex }) => reindex.words(input, signal)),
    },
    async close() {
      await memories.close();
      await embedders.close();
    },
  };
}
