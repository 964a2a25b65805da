import { createHash } from 'node:crypto';

/** The maximum length of a tool's name in the registry. */
const MAX_LENGTH = 64;
const REFUSED = /[^A-Za-z0-9_.-]/g;

/**
 * Builds the name under which the registry has a tool of a server: `server.tool`. A name that the registry refuses gets
 * other characters, and a part of its hash, so that no two tools of a server have one name. The result depends on these
 * two names alone, so a tool keeps its name whatever other tools its server adds. Pure.
 */
export function registryName(server: string, tool: string): string {
  const plain = `${server}.${tool.replaceAll(REFUSED, '_')}`;
  if (plain === `${server}.${tool}` && plain.length <= MAX_LENGTH) return plain;
  const ending = `_${createHash('sha256').update(tool).digest('hex').slice(0, 6)}`;
  return plain.slice(0, MAX_LENGTH - ending.length) + ending;
}
