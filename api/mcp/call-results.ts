import { isCallToolResult, type CallToolResult } from '@modelcontextprotocol/server';
import type { HoldfastError } from '../../src/base/errors';
import type { StartedRun } from '../../temporal/started-run';
import { textOf } from './protocol-errors';
import { uriOfRun } from './resource-uris';

/** A longer output is not sent with the result but linked, bytes of JSON. */
const MAX_OUTPUT_BYTES = 65_536;

type Run = Pick<StartedRun, 'runId' | 'workflowId'>;

/** Builds the metadata by which the run of a call is found again. Pure. */
export function metaOfRun({ runId, workflowId }: Run): Record<string, unknown> {
  return { 'holdfast/runId': runId, 'holdfast/workflowId': workflowId };
}

/**
 * Builds the result of a call from the data of its run. Pure.
 * @param run absent where the call started no run
 * @param hasOutputSchema whether the tool was listed with one, so that clients insist on structured content that fits it
 */
export function toCallResult(
  workflowType: string | undefined,
  data: unknown,
  run: Run | undefined,
  hasOutputSchema = false,
): CallToolResult {
  const meta = run === undefined ? {} : { _meta: metaOfRun(run) };
  const output = workflowType === 'executeTool' ? (data as { readonly result?: unknown }).result : data;
  const json = JSON.stringify(output ?? null);
  const structuredContent = isRecord(output) ? output : { result: output ?? null };
  if (run !== undefined && Buffer.byteLength(json) > MAX_OUTPUT_BYTES) {
    const note = `The result has ${Buffer.byteLength(json)} bytes. It is in the resource ${uriOfRun(run)}.`;
    const content: CallToolResult['content'] = [{ type: 'text', text: note }, linkToRun(run)];
    return { content, ...(hasOutputSchema ? { structuredContent } : {}), ...meta };
  }
  // A tool may answer with content of the protocol itself, such as an image.
  if (!hasOutputSchema && isCallToolResult(output))
    return { ...output, _meta: { ...output._meta, ...meta._meta } };
  const text = textOfOutput(workflowType, output) ?? json;
  return { content: [{ type: 'text', text }], structuredContent, ...meta };
}

/** Builds the result of a call whose tool failed. Pure. */
export function toFailedResult(
  error: Pick<HoldfastError, 'code' | 'message'>,
  run: Run | undefined,
): CallToolResult {
  const meta = { 'holdfast/code': error.code, ...(run === undefined ? {} : metaOfRun(run)) };
  return { content: [{ type: 'text', text: textOf(error) }], isError: true, _meta: meta };
}

/** Builds the result of a call that ends before its run. Pure. */
export function toUnfinishedResult(run: Run, error: Pick<HoldfastError, 'code' | 'message'>): CallToolResult {
  const text = `${error.message}. The run is not over; its record is the resource ${uriOfRun(run)}.`;
  const meta = { 'holdfast/code': error.code, ...metaOfRun(run) };
  return { content: [{ type: 'text', text }, linkToRun(run)], isError: true, _meta: meta };
}

function linkToRun(run: Run): CallToolResult['content'][number] {
  return {
    type: 'resource_link',
    uri: uriOfRun(run),
    name: `run ${run.runId}`,
    mimeType: 'application/json',
  };
}

/** The part of an output that is meant to be read; undefined: all of it as JSON. */
function textOfOutput(workflowType: string | undefined, output: unknown): string | undefined {
  if (typeof output === 'string') return output;
  if (workflowType !== 'agentTurn' || !isRecord(output)) return undefined;
  const { response } = output;
  return typeof response === 'string' ? response : undefined;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
