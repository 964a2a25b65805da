import { HoldfastError } from '../../base/errors';
import { Neo4jConnection } from './connection';
import type { Neo4jSettings } from './settings';

const VERSION = `CALL dbms.components() YIELD name, versions
  WHERE name = 'Neo4j Kernel' RETURN versions[0] AS version`;
/** Major and minor number of the oldest release that has everything the schema needs. */
const MIN_VERSION = [5, 26] as const;

/**
 * Logs in to a server and checks that it is new enough. It changes nothing there.
 * @throws HoldfastError `STORE_UNAVAILABLE` if the server cannot be reached in time, `CONFIGURATION` if it refuses the
 * user, the password or the database, or is too old
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

/**
 * Whether a version such as `5.26.1`, `5.27-aura` or `2025.03.0` is too old. Text that is not a version counts as new enough,
 * because the migrations fail on a server that is not. Pure.
 */
function isTooOld(version: string): boolean {
  const [, major, minor] = /^(\d+)\.(\d+)/.exec(version) ?? [];
  if (major === undefined || minor === undefined) return false;
  return (
    Number(major) < MIN_VERSION[0] || (Number(major) === MIN_VERSION[0] && Number(minor) < MIN_VERSION[1])
  );
}
