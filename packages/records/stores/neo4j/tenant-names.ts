import type { RecordCollection } from '../../contracts/common';
import { DEFAULT_TENANT } from '../../../../src/contracts/tenants';
import type { RecordKey } from '../record';
import { checkTenant } from '../../../../src/stores/tenants/tenant-names';

/** The records of a collection, in labels of nodes. */
const KINDS: Readonly<Record<RecordCollection, string>> = {
  facilities: 'Facility',
  shipments: 'Shipment',
  contaminants: 'Contaminant',
  inspections: 'Inspection',
};

/**
 * Names the nodes of a tenant. All tenants are in one database, because the community edition of Neo4j has one.
 *
 * Keys of every tenant but the default one begin with the tenant, so that locks, references, tags and movements of tenants are
 * apart. Their nodes have other labels than those of the default tenant, and the tenant as a property: lists and counts of the
 * default tenant then read its nodes alone, by the indexes that they always had, and those of another tenant read indexes that
 * begin with the tenant.
 */
export class TenantNames {
  /** The properties that every node of a record has besides its own. */
  readonly properties: { readonly tenant?: string };
  /** The properties with which the indexes begin. A list is ordered by them first, so that it can read an index in order. */
  readonly leadingFields: readonly string[];
  readonly #prefix: string;
  readonly #label: string;

  /** Throws `INTERNAL` if the tenant's name is malformed. */
  constructor(tenant: string) {
    const isDefault = tenant === DEFAULT_TENANT;
    this.properties = isDefault ? {} : { tenant: checkTenant(tenant) };
    this.leadingFields = isDefault ? [] : ['tenant'];
    // No collection begins with this character.
    this.#prefix = isDefault ? '' : `@${tenant}/`;
    this.#label = isDefault ? 'Holdfast' : 'HoldfastTenant';
  }

  /** The label of the records of a collection. All records have the label `HoldfastRecord` too. */
  label(collection: RecordCollection): string {
    return this.#label + KINDS[collection];
  }

  /** Tenant, collection and id as one text, so that one constraint and one order of locks are enough. */
  key({ collection, id }: RecordKey): string {
    return `${this.#prefix}${collection}/${id}`;
  }

  /** The inverse of `key`, for keys of this tenant. */
  parseKey(key: string): RecordKey {
    const text = key.slice(this.#prefix.length);
    const slash = text.indexOf('/');
    return { collection: text.slice(0, slash) as RecordCollection, id: text.slice(slash + 1) };
  }

  /** The key of a tag node: a field with several values has one such node for each value. */
  tag(collection: RecordCollection, name: string, value: string): string {
    return `${this.#prefix}${collection}/${name}/${value}`;
  }
}
