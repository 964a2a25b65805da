import { PARTS_VERSION } from '../../base/text/search-parts';

export interface Migration {
  /** Names what the migration adds, for readers. */
  readonly name: string;
  /**
   * Each statement runs in a separate transaction, as Neo4j requires for changes of the schema. A migration that was interrupted
   * runs again from its start, so each statement must change nothing if it was already applied.
   */
  readonly statements: readonly string[];
}

const RECORD_INDEXES: readonly (readonly [label: string, fields: readonly string[]])[] = [
  ['Facility', ['name', 'kind', 'status', 'city', 'countryCode', 'gln', 'licenceNumber']],
  [
    'Shipment',
    [
      'reference',
      'sscc',
      'status',
      'originFacilityId',
      'destinationFacilityId',
      'carrier',
      'departureAt',
      'arrivalAt',
      'quantityKilograms',
    ],
  ],
  ['Contaminant', ['name', 'class', 'lastDetectedAt']],
  ['Inspection', ['facilityId', 'shipmentId', 'kind', 'result', 'inspector', 'inspectedAt']],
];

/**
 * The schema of the service's database, in the order of its migrations. A released migration is never changed, moved or
 * removed.
 */
export const MIGRATIONS: readonly Migration[] = [
  {
    name: 'documents',
    statements: [
      `CREATE CONSTRAINT holdfast_documents_by_key IF NOT EXISTS
       FOR (document:HoldfastDocument) REQUIRE (document.collection, document.key) IS UNIQUE`,
      `CREATE INDEX holdfast_documents_by_expiry IF NOT EXISTS
       FOR (document:HoldfastDocument) ON (document.expiresAt)`,
    ],
  },
  {
    name: 'memories',
    statements: [
      `CREATE CONSTRAINT holdfast_memories_by_id IF NOT EXISTS
       FOR (memory:HoldfastMemory) REQUIRE memory.id IS UNIQUE`,
      `CREATE CONSTRAINT holdfast_memory_users_by_name IF NOT EXISTS
       FOR (user:HoldfastMemoryUser) REQUIRE user.user IS UNIQUE`,
      `CREATE CONSTRAINT holdfast_memory_sessions_by_name IF NOT EXISTS
       FOR (session:HoldfastMemorySession) REQUIRE (session.user, session.name) IS UNIQUE`,
      `CREATE CONSTRAINT holdfast_vector_spaces_by_name IF NOT EXISTS
       FOR (spaces:HoldfastVectorSpaces) REQUIRE spaces.name IS UNIQUE`,
      `CREATE CONSTRAINT holdfast_dropped_vectors_by_memory IF NOT EXISTS
       FOR (dropped:HoldfastDroppedVector) REQUIRE (dropped.memory, dropped.space) IS UNIQUE`,
      `CREATE INDEX holdfast_dropped_vectors_by_time IF NOT EXISTS
       FOR (dropped:HoldfastDroppedVector) ON (dropped.since)`,
      `CREATE INDEX holdfast_dropped_vectors_by_user IF NOT EXISTS
       FOR (dropped:HoldfastDroppedVector) ON (dropped.user)`,
      ...['Episodic', 'Semantic'].flatMap((kind) => [
        `CREATE INDEX holdfast_${kind.toLowerCase()}_by_time IF NOT EXISTS
         FOR (memory:Holdfast${kind}Memory) ON (memory.user, memory.timestamp, memory.id)`,
        `CREATE FULLTEXT INDEX holdfast_${kind.toLowerCase()}_text IF NOT EXISTS
         FOR (memory:Holdfast${kind}Memory) ON EACH [memory.scope, memory.terms]
         OPTIONS {indexConfig: {\`fulltext.analyzer\`: 'whitespace'}}`,
      ]),
      `CREATE INDEX holdfast_episodic_by_session IF NOT EXISTS
       FOR (memory:HoldfastEpisodicMemory) ON (memory.user, memory.session, memory.timestamp, memory.id)`,
    ],
  },
  {
    name: 'records',
    statements: [
      `CREATE CONSTRAINT holdfast_records_by_key IF NOT EXISTS
       FOR (record:HoldfastRecord) REQUIRE record.key IS UNIQUE`,
      `CREATE CONSTRAINT holdfast_record_tags_by_key IF NOT EXISTS
       FOR (tag:HoldfastRecordTag) REQUIRE tag.key IS UNIQUE`,
      ...RECORD_INDEXES.flatMap(([label, fields]) =>
        ['createdAt', 'updatedAt', ...fields].map(
          (field) => `CREATE INDEX holdfast_${label.toLowerCase()}_${field} IF NOT EXISTS
            FOR (record:Holdfast${label}) ON (record.${field})`,
        ),
      ),
    ],
  },
  {
    name: 'records of tenants',
    // The index of the tenant alone is for counts without a condition on an indexed field.
    statements: RECORD_INDEXES.flatMap(([label, fields]) => [
      `CREATE INDEX holdfast_tenant_${label.toLowerCase()} IF NOT EXISTS
       FOR (record:HoldfastTenant${label}) ON (record.tenant)`,
      ...['createdAt', 'updatedAt', ...fields].map(
        (field) => `CREATE INDEX holdfast_tenant_${label.toLowerCase()}_${field} IF NOT EXISTS
          FOR (record:HoldfastTenant${label}) ON (record.tenant, record.${field})`,
      ),
    ]),
  },
  {
    name: 'time of storing beside the time of the event',
    // Stored memories stay as they are: without a time of storing it is that of the memory. The version alone keeps earlier builds
    // away, which would drop the time of storing from a memory that they change.
    statements: [],
  },
  {
    name: 'parts of words',
    // Stored memories are indexed by a run, and a database without any is of this version.
    statements: [
      `CREATE CONSTRAINT holdfast_word_index_by_name IF NOT EXISTS
       FOR (words:HoldfastWordIndex) REQUIRE words.name IS UNIQUE`,
      `OPTIONAL MATCH (memory:HoldfastMemory) WITH memory LIMIT 1 WITH memory WHERE memory IS NULL
       MERGE (words:HoldfastWordIndex {name: 'memories'}) SET words.version = '${PARTS_VERSION}'`,
    ],
  },
];
