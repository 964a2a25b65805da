import type { McpServerView, PendingTool } from '../../../src/contracts/http/mcp-servers';
import type { RemoteTool } from './remote-tool';
import type { StoredLogin } from './login/login-documents';
import type { StoredServer, WaitingTool } from './server-documents';
import { computeDigest } from '../../../src/base/ids';

/** Computes the digest by which a caller names the list of pending tools that it has read. Pure. */
export function digestOf(pending: StoredServer['pending']): string {
  return computeDigest(pending.map(({ tool, digest }) => [tool, digest]));
}

/**
 * Adds the descriptions to the tools that wait. Pure.
 * @returns undefined if the definitions are those of another listing
 */
export function describePending(
  pending: StoredServer['pending'],
  definitions: readonly RemoteTool[],
): PendingTool[] | undefined {
  const byDigest = new Map(definitions.map((remote) => [remote.digest, remote]));
  const described = pending.flatMap(({ name, tool, digest, change }: WaitingTool): PendingTool[] => {
    const definition = byDigest.get(digest);
    return definition === undefined
      ? []
      : [{ name, tool, digest, description: definition.description, change }];
  });
  return described.length === pending.length ? described : undefined;
}

/**
 * Builds what callers see of a server: of its headers or its environment the names alone. Pure.
 * @param login of a server that has one
 * @param waiting the tools that wait, with their descriptions; default: without
 */
export function toView(
  server: StoredServer,
  login: StoredLogin | undefined,
  waiting: readonly PendingTool[] = server.pending,
): McpServerView {
  const { name, allow, toolTimeoutMs, approval, addedAt, protocol } = server;
  const { listedAt, away, tools, skipped } = server;
  return {
    name,
    ...toTargetView(server),
    ...toLoginView(server, login),
    allow: allow && [...allow],
    toolTimeoutMs,
    approval,
    addedAt,
    protocol,
    listedAt,
    away,
    tools: [...tools],
    pending: waiting.length === 0 ? undefined : { digest: digestOf(waiting), tools: [...waiting] },
    skipped: [...skipped],
  };
}

function toLoginView(server: StoredServer, login: StoredLogin | undefined): Partial<McpServerView> {
  if ('command' in server || server.auth === undefined) return {};
  const { clientId, scope } = server.auth;
  return {
    auth: { type: 'oauth', clientId, scope },
    login: login?.state ?? 'required',
    loginFailure: login?.failure,
  };
}

function toTargetView(server: StoredServer): Partial<McpServerView> {
  if (!('command' in server)) return { url: server.url, headers: [...server.headerNames] };
  const { command, args, envNames } = server;
  return { command, args: [...args], env: [...envNames] };
}
