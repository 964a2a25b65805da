import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Neo4jServer, startNeo4j } from './neo4j-server';
import { openOffer, withTemporaryFolder } from './offer';

/** The one Neo4j server, which suites use one after another, because its community edition has a single database. */
export interface Neo4jOffer {
  /** The port on which suites ask for the server; the answer is a `Neo4jAddress`. */
  readonly port: number;
  close(): Promise<void>;
}

/** Why no Neo4j server can be started here; undefined if one can. */
export function lackForNeo4j(env: NodeJS.ProcessEnv): string | undefined {
  const folders = (env['PATH'] ?? '').split(delimiter);
  const lacking = ['java', 'mvn'].filter(
    (name) => !folders.some((folder) => isExecutable(join(folder, name))),
  );
  return lacking.length === 0 ? undefined : `${lacking.join(' and ')} not found on PATH`;
}

/** Offers a server that is started when the first suite asks for it, and that one suite has at a time. */
export async function offerNeo4j(): Promise<Neo4jOffer> {
  const temporaryFolder = process.env['TMPDIR'];
  let server: Promise<Neo4jServer> | undefined;
  let turn = Promise.resolve();
  const offer = await openOffer(async ({ over, isOver }) => {
    const before = turn;
    turn = Promise.all([before, over]).then(() => undefined);
    await before;
    if (isOver()) return {};
    server ??= withTemporaryFolder(temporaryFolder, startNeo4j);
    const { uri, username, password } = await server;
    return { uri, username, password };
  });
  return {
    port: offer.port,
    async close() {
      offer.close();
      await (await server?.catch(() => undefined))?.stop();
    },
  };
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
