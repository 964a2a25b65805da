import { isDeepStrictEqual } from 'node:util';
import type { z } from 'zod';
import { messageOf, validationError } from '../../src/base/errors';
import { parseExactJson } from '../../src/base/json/exact';
import type { Approval } from '../../src/contracts/http/approvals';
import type { ReachedLimit } from '../../src/contracts/runs/budgets';
import { parseInput } from '../http/input';
import { answerBody } from './approval-requests';

/** Longer texts are written without line breaks, so that deep arguments do not consist of indentation, characters. */
const MAX_INDENTED = 65_536;
/** Characters that change the order in which a line is shown, so that its text would look like another one. */
const REORDERING = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Replaces the characters that change the order of others by their escapes in JSON. Pure. */
export function inOrder(text: string): string {
  return text.replace(
    REORDERING,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Writes a value as JSON whose characters are shown in their order, and which reads as the same value. Pure. */
export function prettyJson(value: unknown): string {
  const text = (JSON.stringify(value, undefined, 2) as string | undefined) ?? '';
  return inOrder(text.length > MAX_INDENTED ? JSON.stringify(value) : text);
}

/**
 * Reads an answer from the form of the page. Other fields are ignored, and so are arguments that are as they were shown, or of a
 * denial.
 * @param shown the approval as the page showed it
 * @throws HoldfastError `VALIDATION`
 */
export function readLinkForm(
  form: URLSearchParams,
  by: string | undefined,
  { kind, args }: Approval,
): z.output<typeof answerBody> {
  const decision = readField(form, 'decision');
  const typed = readField(form, 'args');
  const isApproved = decision === 'approve';
  const isChangeable = kind !== 'budget' && form.has('args');
  const comment = readField(form, 'comment').trim();
  const budget =
    kind === 'budget' && isApproved
      ? { [(args as ReachedLimit).limit]: Number(readField(form, 'max')) }
      : undefined;
  const changed = isApproved && isChangeable ? readArgs(typed, args) : undefined;
  const answer = { decision, by, budget, args: changed, ...(comment === '' ? {} : { comment }) };
  return parseInput(answerBody, answer, 'body') as z.output<typeof answerBody>;
}

/** Reads a field, with the ends of lines as they were shown: a browser sends CR LF. Empty if the field is absent. */
function readField(form: URLSearchParams, name: string): string {
  const [text = '', ...others] = form.getAll(name);
  if (others.length > 0) throw validationError(name, 'must be there once');
  return text.replaceAll('\r\n', '\n');
}

/** @returns undefined if the arguments are as they were shown */
function readArgs(typed: string, shown: unknown): unknown {
  if (typed === prettyJson(shown)) return undefined;
  if (typeof shown === 'string')
    throw validationError('args', 'cannot be changed here, because they are long');
  try {
    const args = parseExactJson(typed);
    return isDeepStrictEqual(args, shown) ? undefined : args;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw validationError('args', `cannot be read: ${messageOf(error)}${lineOf(typed, error)}`);
  }
}

/** Names the line of a syntax error, of which the engine gives the position. */
function lineOf(text: string, { message }: SyntaxError): string {
  const position = / at position (\d+)/.exec(message)?.[1];
  return position === undefined ? '' : `, in line ${text.slice(0, Number(position)).split('\n').length}`;
}
