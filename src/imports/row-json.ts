import type { z } from 'zod';
import { JsonNumberError, JsonTextError, parseCallersJson } from '../base/json/callers';
import { JsonNestingError } from '../base/json/parse';
import { cutText } from '../base/text/well-formed';
import type { ImportError } from '../contracts/http/imports';

/** Reads the JSON of a row as that of a body. Pure. @param line its number, from 1 */
export function readRowJson(
  text: string,
  line: number,
): { readonly value: unknown } | { readonly error: ImportError } {
  try {
    // Some programs write a byte order mark in front of a file, which a reader may ignore (RFC 8259, 8.1).
    return { value: parseCallersJson(text.replace(/^\uFEFF/, '')) };
  } catch (error) {
    if (error instanceof JsonTextError) return { error: toError(line, error.message, toField(error.path)) };
    const isUnfit = error instanceof JsonNestingError || error instanceof JsonNumberError;
    return {
      error: toError(line, isUnfit ? `The row cannot be read: ${error.message}` : 'The row is not JSON'),
    };
  }
}

/** The error of a row that a schema refuses: its first issue. Pure. */
export function toIssue(line: number, { issues }: z.ZodError): ImportError {
  const [issue] = issues;
  return toError(line, issue?.message ?? 'The row is invalid', toField(issue?.path ?? []));
}

/** A row may have names of a megabyte, which messages repeat. */
const MAX_MESSAGE = 300;
const MAX_FIELD = 200;

/** The error of a row, without the rest of long texts. Pure. */
export function toError(line: number, message: string, field?: string): ImportError {
  const shown = field === undefined ? undefined : cutText(field, MAX_FIELD);
  return { line, error: 'Validation error', message: cutText(message, MAX_MESSAGE), field: shown };
}

/** Writes a path as a field; undefined for the row itself. */
function toField(path: readonly PropertyKey[]): string | undefined {
  const field = path.reduce<string>(
    (text, step) =>
      typeof step === 'number' ? `${text}[${step}]` : text === '' ? String(step) : `${text}.${String(step)}`,
    '',
  );
  return field === '' ? undefined : field;
}
