import type { Pseudonyms } from '../../secrets/pseudonyms';
import type { SecretBox } from '../../secrets/secret-box';
import type { TenantDocuments } from '../../stores/documents';
import type { UserMemories } from '../../stores/memory/memory-graph';
import { createFactLog, type FactLog } from '../facts/fact-log';
import type { KeptSources } from '../facts/kept-sources';
import { createMemoryArchive, type MemoryArchive } from '../upkeep/archive';
import { placeOfGraph } from './memory-settings';
import { moveOwned, preparedDocuments } from './move-owned';
import { createOwnerKeys, type OwnerSettings } from './owner-keys';

export interface TracesPorts {
  /** Those of the tenant. */
  readonly documents: TenantDocuments;
  readonly graph: Pick<UserMemories, 'getMany'>;
  readonly secrets: SecretBox;
  /** Those of the service. */
  readonly pseudonyms: Pseudonyms;
  readonly settings: OwnerSettings;
  readonly tenant: string;
  /** What was opened of facts, for all tenants. */
  readonly kept: KeptSources;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

/**
 * Creates the facts and the copies of archived memories of a tenant's users: those of the memories in this graph, and no others.
 * Their first use moves what is under other keys (`moveOwned`).
 */
export function createTraces(ports: TracesPorts): { readonly log: FactLog; readonly archive: MemoryArchive } {
  const { secrets, pseudonyms, settings, tenant, kept, now } = ports;
  const factKeys = createOwnerKeys(pseudonyms, 'facts', settings, tenant);
  const archiveKeys = createOwnerKeys(pseudonyms, 'archived-memories', settings, tenant);
  const place = pseudonyms('memory-graphs', placeOfGraph(settings));
  const documents = preparedDocuments(ports.documents, () =>
    moveOwned({ ...ports, place, factKeys, archiveKeys }),
  );
  return {
    log: createFactLog({ documents, secrets, pseudonym: factKeys.of, former: factKeys.former, kept, now }),
    archive: createMemoryArchive({ documents, secrets, pseudonym: archiveKeys.of, now }),
  };
}
