import { toolError } from '../../base/errors';
import { JsonNestingError, parseJson } from '../../base/json/parse';
import type { Sandbox } from '../../sandbox/sandbox';
import type { BuiltinTool } from '../tool';
import { jsonReaderDeclaration } from './declarations';
import { findJsonProblem } from './json-position';
import { compileJsonQuery } from './json-query';
import { readString } from './read-arguments';
import { readByQuery } from './run-json-query';

/**
 * Reads a JSON text with a JSONPath query (RFC 9535); the value is `{ result, path }`. A query for one place
 * gives the value there, and fails if there is nothing; any other gives an array, which may be empty.
 */
export function createJsonReader(sandbox: Pick<Sandbox, 'queryJson'>): BuiltinTool {
  return {
    ...jsonReaderDeclaration,
    async run(args, context) {
      const text = readString(args, 'jsonString');
      const path = readString(args, 'path');
      const query = compileJsonQuery(path);
      const document = parseDocument(text);
      const result = await readByQuery(sandbox, query, { path, document, length: text.length }, context);
      return { value: { result, path } };
    },
  };
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
