import { isCallToolResult, type CallToolResult } from '@modelcontextprotocol/server';
import type { HoldfastError } from '../../../src/base/errors';
import { isJsonObject, type JsonObject } from '../../../src/contracts/json';
import { StoredJson } from '../../../temporal/payloads/stored-json';
import type { StartedRun, AdmitBytes } from '../../../temporal/runs/started-run';
import { type ShownError, textOf } from './protocol-errors';
import { uriOfRun } from './resources';
import { CONTENT_MARK, PROBLEM_MARK } from '../../../src/contracts/constants';

/** A longer output is not sent with the result but linked, bytes of JSON. */
const MAX_OUTPUT_BYTES = 65_536;

type Run = Pick<StartedRun, 'runId' | 'workflowId'>;

/** Builds the metadata by which the run of a call is found again. Pure. */
export function metaOfRun({ runId, workflowId }: Run): Record<string, unknown> {
  return { 'holdfast/runId': runId, 'holdfast/workflowId': workflowId };
}

export interface ResultOptions {
  /** Whether the tool was listed with one, so that clients insist on structured content that fits it. */
  readonly hasOutputSchema: boolean;
  /** Whether clients can read the records of runs, so that a link leads somewhere. */
  readonly linksRuns: boolean;
}

/**
 * Builds the result of a call from the data of its run. Pure.
 * @param data a `StoredJson` only if the result is linked
 * @param run absent if the call started no run
 */
export function toCallResult(
  workflowType: string | undefined,
  data: unknown,
  run: Run | undefined,
  { hasOutputSchema, linksRuns }: ResultOptions,
): CallToolResult {
  const meta = run === undefined ? {} : { _meta: metaOfRun(run) };
  if (data instanceof StoredJson) return toLink(data.bytes, run as Run, meta);
  const output = workflowType === 'executeTool' ? (data as { readonly result?: unknown }).result : data;
  const json = JSON.stringify(output ?? null);
  const marked = readMarks(output);
  const structuredContent =
    marked?.structured ?? (isJsonObject(output) ? output : { result: output ?? null });
  if (run !== undefined && linksRuns && Buffer.byteLength(json) > MAX_OUTPUT_BYTES) {
    const link = toLink(Buffer.byteLength(json), run, meta);
    const noted = { ...link, content: [...problemOf(marked), ...link.content] };
    if (!hasOutputSchema) return noted;
    return { ...noted, ...(marked?.problem === undefined ? { structuredContent } : { isError: true }) };
  }
  if (!hasOutputSchema && isCallToolResult(output)) return { ...contentOf(output), ...meta };
  if (marked !== undefined) return { ...toMarkedResult(marked, hasOutputSchema), ...meta };
  const text = textOfOutput(workflowType, output) ?? json;
  return { content: [{ type: 'text', text }], structuredContent, ...meta };
}

/** What the result of a remote tool has besides its structured content. */
interface Marked {
  readonly problem: string | undefined;
  readonly content: CallToolResult['content'];
  readonly structured: JsonObject;
}

/** @returns undefined for an output without marks */
function readMarks(output: unknown): Marked | undefined {
  if (!isJsonObject(output) || !(CONTENT_MARK in output || PROBLEM_MARK in output)) return undefined;
  const { [CONTENT_MARK]: beside = [], [PROBLEM_MARK]: problem, ...structured } = output;
  const read = { content: beside };
  if (!isCallToolResult(read) || !(problem === undefined || typeof problem === 'string')) return undefined;
  return { problem, content: read.content, structured };
}

/** Says in which respect a result is not as its tool declares it, and that it need not be asked for again. */
function problemOf(marked: Marked | undefined): CallToolResult['content'] {
  return marked?.problem === undefined
    ? []
    : [{ type: 'text', text: `The call was made: ${marked.problem}` }];
}

/**
 * Builds the result of a call whose tool sent more, or something else, than it declares. A client refuses structured content that
 * is not as it was declared, and shows nothing of the result, so the text of an error says what came.
 */
function toMarkedResult(marked: Marked, hasOutputSchema: boolean): CallToolResult {
  const { problem, content, structured } = marked;
  const texts = Object.keys(structured).length === 0 ? [] : [JSON.stringify(structured)];
  const parts = [...problemOf(marked), ...texts.map((text) => ({ type: 'text' as const, text })), ...content];
  if (problem !== undefined && hasOutputSchema) return { content: parts, isError: true };
  return { content: parts, structuredContent: structured };
}

/** Builds the result of a call whose output is not sent with it. */
function toLink(bytes: number, run: Run, meta: { readonly _meta?: Record<string, unknown> }): CallToolResult {
  const note = `The result has ${bytes} bytes. It is in the resource ${uriOfRun(run)}.`;
  return { content: [{ type: 'text', text: note }, linkToRun(run)], ...meta };
}

/**
 * Reads a large result of a run into memory, unless a link to its run is sent instead.
 * @throws as `StoredJson.load` does
 */
export async function readLargeData(data: unknown, admit: AdmitBytes, isLinked: boolean): Promise<unknown> {
  return data instanceof StoredJson && !isLinked ? data.load(admit) : data;
}

/** Builds the result of a call whose tool failed. Pure. */
export function toFailedResult(error: ShownError, run: Run | undefined): CallToolResult {
  const meta = { 'holdfast/code': error.code, ...(run === undefined ? {} : metaOfRun(run)) };
  return { content: [{ type: 'text', text: textOf(error) }], isError: true, _meta: meta };
}

/** Builds the result of a call that ends before its run. Pure. */
export function toUnfinishedResult(
  run: Run,
  error: Pick<HoldfastError, 'code' | 'message'>,
  { linksRuns }: Pick<ResultOptions, 'linksRuns'>,
): CallToolResult {
  const record = linksRuns ? `its record is the resource ${uriOfRun(run)}` : `its id is ${run.runId}`;
  const content: CallToolResult['content'] = [
    { type: 'text', text: `${error.message}. The run is not over; ${record}.` },
    ...(linksRuns ? [linkToRun(run)] : []),
  ];
  return { content, isError: true, _meta: { 'holdfast/code': error.code, ...metaOfRun(run) } };
}

/**
 * The parts of a result that a tool may answer with itself, such as an image. All others are the server's to say: a tool must
 * not make the client ask its user for something, or begin a task.
 */
function contentOf({ content, isError, structuredContent }: CallToolResult): CallToolResult {
  return {
    content,
    isError,
    structuredContent,
  };
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
  if (workflowType !== 'agentTurn' || !isJsonObject(output)) return undefined;
  const { response } = output;
  return typeof response === 'string' ? response : undefined;
}
