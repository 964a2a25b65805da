import { computeDigest } from '../base/digest';
import type { McpServerView } from '../contracts/http/mcp-servers';
import type { StoredServer } from './server-documents';

/** Computes the digest by which a caller names the list of pending tools that it has read. Pure. */
export function digestOf(pending: StoredServer['pending']): string {
  return computeDigest(pending.map(({ tool, digest }) => [tool, digest]));
}

/** Builds what callers see of a server: of its headers or its environment the names alone. Pure. */
export function toView(server: StoredServer): McpServerView {
  const { name, allow, toolTimeoutMs, approval, addedAt, protocol } = server;
  const { listedAt, away, tools, pending, skipped } = server;
  return {
    name,
    ...toTargetView(server),
    ...(allow === undefined ? {} : { allow: [...allow] }),
    ...(toolTimeoutMs === undefined ? {} : { toolTimeoutMs }),
    approval,
    addedAt,
    protocol,
    listedAt,
    ...(away === undefined ? {} : { away }),
    tools: [...tools],
    ...(pending.length === 0 ? {} : { pending: { digest: digestOf(pending), tools: [...pending] } }),
    skipped: [...skipped],
  };
}

function toTargetView(server: StoredServer): Partial<McpServerView> {
  if (!('command' in server)) return { url: server.url, headers: [...server.headerNames] };
  const { command, args, envNames } = server;
  return { command, args: [...args], env: [...envNames] };
}
