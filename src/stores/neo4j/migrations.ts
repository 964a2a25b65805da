export interface Migration {
  /** Says what it brings, for errors and readers. */
  readonly name: string;
  /**
   * Each runs in a transaction of its own, as Neo4j wants it of changes to the schema, and so each has to do nothing
   * where it was done before: a migration that was broken off is run again from its start.
   */
  readonly statements: readonly string[];
}

/**
 * The schema of the service's database, in the order it grew. A migration that was released is never changed, moved
 * or taken out.
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
];
