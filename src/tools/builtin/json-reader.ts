import { toolError } from '../../base/errors';
import { JsonNestingError, parseJson } from '../../base/json/parse';
import type { Sandbox } from '../../sandbox/sandbox';
import type { BuiltinTool, ToolContext } from '../tool';
import { jsonReaderDeclaration } from './declarations';
import { findJsonProblem } from './json-position';
import { compileJsonQuery, type JsonQuery } from './json-query';
import { readString } from './read-arguments';

/** Maximum length of a document that is queried in this thread, characters: a longer one would block the event loop. */
const IN_PROCESS_LENGTH = 256 * 1_024;
/** The same for a query that descends: the worst document of this length takes up to 20 ms, measured. */
const IN_PROCESS_DESCENT_LENGTH = 32 * 1_024;

/**
 * Reads a JSON text with a JSONPath query (RFC 9535); the value is `{ result, path }`. A query for one place
 * gives the value there, and fails where there is nothing; any other gives an array, which may be empty.
 */
export function createJsonReader(sandbox: Pick<Sandbox, 'queryJson'>): BuiltinTool {
  return {
    ...jsonReaderDeclaration,
    async run(args, context) {
      const text = readString(args, 'jsonString');
      const path = readString(args, 'path');
      const query = compileJsonQuery(path);
      const document = parseDocument(text);
      const found = await evaluate(sandbox, query, { path, document, length: text.length }, context);
      if (!query.singular) return { value: { result: found, path } };
      if (found.length === 0) throw toolError(`There is nothing at ${path}`);
      return { value: { result: found[0], path } };
    },
  };
}

async function evaluate(
  sandbox: Pick<Sandbox, 'queryJson'>,
  query: JsonQuery,
  { path, document, length }: { path: string; document: unknown; length: number },
  context: ToolContext,
): Promise<readonly unknown[]> {
  const limit = query.descends ? IN_PROCESS_DESCENT_LENGTH : IN_PROCESS_LENGTH;
  // A singular query walks down one branch, whatever the size around it.
  if (query.singular || (query.bounded && length <= limit)) return query.evaluate(document);
  const { owner, timeoutMs, signal } = context;
  return sandbox.queryJson(document, path, { owner, timeoutMs, signal });
}

function parseDocument(text: string): unknown {
  try {
    return parseJson(text);
  } catch (cause) {
    if (cause instanceof JsonNestingError) throw toolError(`jsonString cannot be read: ${cause.message}`);
    throw toolError(`jsonString is not JSON: ${describeProblem(text)}`, { cause });
  }
}

function describeProblem(text: string): string {
  const problem = findJsonProblem(text);
  if (!problem) return 'it cannot be parsed';
  const { offset, line, column } = problem;
  const character = text.codePointAt(offset);
  const what =
    character === undefined
      ? 'it ends too early'
      : `unexpected ${JSON.stringify(String.fromCodePoint(character))}`;
  return `${what} at line ${line}, column ${column}`;
}
