import { createHash } from 'node:crypto';
import type { RequestedCall } from './prepare-calls';

/**
 * Tells requests apart by what was asked: tools, arguments, the limit that was given. The order of properties is no
 * part of it, nor is what the tools are made of or what the settings add.
 */
export function digestOf(calls: readonly RequestedCall[], timeoutMs: number | undefined): string {
  const asked = [timeoutMs ?? null, calls.map(({ toolName, args }) => [toolName, sorted(args)])];
  return createHash('sha256').update(JSON.stringify(asked)).digest('hex');
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, item]): [string, unknown] => [name, sorted(item)]);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}
