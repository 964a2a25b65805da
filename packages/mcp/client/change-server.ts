import { HoldfastError } from '../../../src/base/errors';
import { CONFLICT, untilNoConflict } from '../../../src/stores/compare-and-set';
import type { ToolRegistry } from '../../../src/tools/registry';
import { type RemoteTool, toRegistration } from './remote-tool';
import { putPending, putServer, type ServerDocuments, type StoredServer } from './server-documents';

/** What a change makes of a server and of its tools in the registry. */
export interface ServerChange {
  readonly server: StoredServer;
  readonly pending?: readonly RemoteTool[];
  readonly gone?: readonly string[];
  readonly put?: readonly RemoteTool[];
}

/**
 * Changes the record of a server, unless it was removed or added anew since it was seen.
 * @throws HoldfastError `MCP_SERVER_NOT_FOUND`
 */
export type ChangeServer = (
  seen: StoredServer,
  next: (current: StoredServer) => ServerChange,
) => Promise<StoredServer>;

export function createChangeServer(
  documents: ServerDocuments,
  registry: Pick<ToolRegistry, 'changeRemoteTools'>,
): ChangeServer {
  return ({ name, id }, next) =>
    untilNoConflict('the MCP servers', async () => {
      const document = await documents.find(name);
      if (document?.value.id !== id) throw unknownServer(name);
      const { server, pending, gone = [], put = [] } = next(document.value);
      const writes = [
        putServer(server, document.version),
        ...(pending === undefined ? [] : [putPending(name, pending)]),
      ];
      if (gone.length === 0 && put.length === 0) return (await documents.write(writes)) ? server : CONFLICT;
      const registrations = put.map((remote) => toRegistration(name, remote, server));
      const isCurrent = async (): Promise<typeof writes | undefined> =>
        (await documents.find(name))?.version === document.version ? writes : undefined;
      const done = await registry.changeRemoteTools(name, { put: registrations, remove: gone }, isCurrent);
      return done ? server : CONFLICT;
    });
}

export function unknownServer(name: string): HoldfastError {
  return new HoldfastError('MCP_SERVER_NOT_FOUND', `There is no MCP server named "${name}"`);
}
