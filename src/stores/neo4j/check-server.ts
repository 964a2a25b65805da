import { HoldfastError } from '../../base/errors';
import { Neo4jConnection } from './connection';
import type { Neo4jSettings } from './settings';

const VERSION = `CALL dbms.components() YIELD name, versions
  WHERE name = 'Neo4j Kernel' RETURN versions[0] AS version`;
/** The oldest server with all that the schema needs. */
const OLDEST = [5, 26] as const;

/**
 * Logs in to a server and looks whether it is new enough. Changes nothing there.
 * @throws HoldfastError `STORE_UNAVAILABLE` where it cannot be reached in time, `CONFIGURATION` where it refuses user,
 * password or database, or is too old
 */
export async function checkNeo4jServer(settings: Neo4jSettings): Promise<void> {
  const connection = new Neo4jConnection(settings);
  try {
    const [row] = await connection.transact(async (statements) => ({
      commit: false,
      value: await statements.run(VERSION),
    }));
    const version = row?.['version'];
    if (typeof version === 'string' && isTooOld(version)) {
      throw new HoldfastError('CONFIGURATION', `The server is Neo4j ${version}; 5.26 or later is needed`);
    }
  } finally {
    await connection.close();
  }
}

/** `5.26.1`, `5.27-aura`, `2025.03.0`; what is no version is left to the schema to find out. Pure. */
export function isTooOld(version: string): boolean {
  const [, major, minor] = /^(\d+)\.(\d+)/.exec(version) ?? [];
  if (major === undefined || minor === undefined) return false;
  return Number(major) < OLDEST[0] || (Number(major) === OLDEST[0] && Number(minor) < OLDEST[1]);
}
