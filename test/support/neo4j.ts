import neo4j from 'neo4j-driver';
import type { Neo4jSettings } from '../../src/stores/neo4j/settings';
import type { Neo4jAddress } from './neo4j-server';
import { askFor, type Lease } from './offer';

/** Covers the suites that use the server first, and the first start on a machine, when Maven fetches the server. */
export const NEO4J_WAIT_MS = 900_000;

/** `describe`, skipped if no Neo4j server can be started, except in CI. */
export const describeWithNeo4j =
  process.env['HOLDFAST_TEST_NEO4J_LACKS'] === undefined ? describe : describe.skip;

/**
 * Gives the suite the shared Neo4j server for itself, empty at first, from before its first test until after its last.
 * To be called inside `describeWithNeo4j`.
 */
export function useNeo4j(): () => Neo4jAddress {
  let lease: Lease<Neo4jAddress> | undefined;
  beforeAll(async () => {
    lease = await askFor(Number(process.env['HOLDFAST_TEST_NEO4J']));
    await emptyNeo4j(lease.value);
  }, NEO4J_WAIT_MS);
  afterAll(() => lease?.release());
  return () => {
    if (lease === undefined) throw new Error('the Neo4j server is asked for before the first test');
    return lease.value;
  };
}

/**
 * As `useNeo4j`, with a limit of operations that only ends a hang. The suites of a port write much at once, and on a busy
 * machine the server may need longer for it than callers of the service would wait.
 */
export function usePatientNeo4j(): () => Neo4jSettings {
  const address = useNeo4j();
  return () => ({ ...address(), operationLimitMs: 60_000 });
}

/** Runs one statement without the code under test, and returns its rows. */
export async function queryNeo4j(
  { uri, username, password }: Neo4jAddress,
  cypher: string,
  parameters: Record<string, unknown> = {},
): Promise<Record<string, unknown>[]> {
  const driver = neo4j.driver(uri, neo4j.auth.basic(username, password), { disableLosslessIntegers: true });
  try {
    const { records } = await driver.executeQuery(cypher, parameters);
    return records.map((record) => record.toObject());
  } finally {
    await driver.close();
  }
}

/** Removes all nodes, constraints and indexes. */
export async function emptyNeo4j(address: Neo4jAddress): Promise<void> {
  await queryNeo4j(address, 'MATCH (node) DETACH DELETE node');
  for (const { name } of await queryNeo4j(address, 'SHOW CONSTRAINTS YIELD name'))
    await queryNeo4j(address, `DROP CONSTRAINT ${String(name)}`);
  const indexes = await queryNeo4j(address, "SHOW INDEXES YIELD name, type WHERE type <> 'LOOKUP'");
  for (const { name } of indexes) await queryNeo4j(address, `DROP INDEX ${String(name)}`);
}

/** Removes all data. The node of the schema stays with the indexes, so that the next store has nothing to migrate. */
export async function removeData(address: Neo4jAddress): Promise<void> {
  await queryNeo4j(address, 'MATCH (node) WHERE NOT node:HoldfastSchema DETACH DELETE node');
}
