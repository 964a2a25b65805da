import { createHash } from 'node:crypto';
import { isJsonObject } from '../contracts/json';
import type { ToolStep } from '../contracts/runs/tools';

const UUID_HEX = 32;

/**
 * Derives the key by which a server recognises a call that it got before, in the form of a UUID (RFC 9562 §5.8): 36
 * characters. It is the same at each attempt, and after a reset of the run, as it depends on the run's workflow id, the
 * call's name within the run (a step of a workflow, with the index of the item), and where the call goes. The rest of
 * the arguments does not count: a server that gets the key with another request has to refuse it. Pure.
 */
export function idempotencyKeyOf(workflowId: string, { step, toolName, args }: ToolStep): string {
  const { method, url, params } = toolName === 'api_call' && isJsonObject(args) ? args : {};
  const parts = [workflowId, step, toolName, method, url, ...(params === undefined ? [] : [params])];
  const digest = createHash('sha256').update(JSON.stringify(parts));
  const hex = digest.digest('hex').slice(0, UUID_HEX);
  // The digits of the version (8, custom) and of the variant.
  const marked = `${hex.slice(0, 12)}8${hex.slice(13, 16)}a${hex.slice(17)}`;
  return marked.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
