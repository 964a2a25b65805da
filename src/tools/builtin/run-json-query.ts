import { toolError } from '../../base/errors';
import type { Sandbox } from '../../sandbox/sandbox';
import type { ToolContext } from '../tool';
import type { JsonQuery } from './json-query';

/** Maximum length of a document that is queried in this thread, characters: a longer one would block the event loop. */
const IN_PROCESS_LENGTH = 256 * 1_024;
/** The same for a query that descends: the worst document of this length takes up to 20 ms, measured. */
const IN_PROCESS_DESCENT_LENGTH = 32 * 1_024;

/** A document, and the query as it was written. */
export interface QueriedDocument {
  readonly path: string;
  readonly document: unknown;
  /** Characters of JSON of the document. */
  readonly length: number;
}

/** Evaluates a query in this thread if that is quick, and else in one of the sandbox. @returns all values found */
export async function runJsonQuery(
  sandbox: Pick<Sandbox, 'queryJson'>,
  query: JsonQuery,
  { path, document, length }: QueriedDocument,
  { owner, timeoutMs, signal }: ToolContext,
): Promise<readonly unknown[]> {
  const limit = query.descends ? IN_PROCESS_DESCENT_LENGTH : IN_PROCESS_LENGTH;
  // A singular query walks down one branch, whatever the size around it.
  if (query.singular || (query.bounded && length <= limit)) return query.evaluate(document);
  return sandbox.queryJson(document, path, { owner, timeoutMs, signal });
}

/**
 * Evaluates a query as `runJsonQuery` does.
 * @returns the value there for a query of one place, else the list of all values found, which may be empty
 * @throws HoldfastError `TOOL_EXECUTION_FAILED` if there is nothing at the one place
 */
export async function readByQuery(...question: Parameters<typeof runJsonQuery>): Promise<unknown> {
  const [, query, { path }] = question;
  const results = await runJsonQuery(...question);
  if (!query.singular) return results;
  if (results.length === 0) throw toolError(`There is nothing at ${path}${hintForNothing(path)}`);
  return results[0];
}

/** Other dialects have the length of a list as its property. */
function hintForNothing(path: string): string {
  return path.endsWith('.length')
    ? '; a list has no such part: query the list, and take its length in a template'
    : '';
}
