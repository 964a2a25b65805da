import { ApplicationFailure } from '@temporalio/common';
import { jsonLength } from '../../src/contracts/json-length';
import type { UnexpectedAnswer } from '../../src/contracts/runs/tools';
import { ConditionError } from '../../src/templates/condition';
import { TemplateReferenceError } from '../../src/templates/resolve';
import { toolFailureOf } from '../steps/failures';
import type { RunOfCalls } from './make-call';

/** Characters of JSON of the response in the error of an item, because a run has up to 1,000 items. */
const MAX_ITEM_ANSWER = 1_024;

/** What callers see of why a step or an item failed. */
export function problemOf(reason: unknown): { readonly code: string; readonly message: string } {
  return { code: codeOf(reason), message: messageOf(reason) };
}

export function codeOf(reason: unknown): string {
  if (reason instanceof TemplateReferenceError || reason instanceof ConditionError) return 'WORKFLOW_INVALID';
  return reason instanceof ApplicationFailure ? (reason.type ?? 'INTERNAL') : 'INTERNAL';
}

export function messageOf(reason: unknown): string {
  return reason instanceof Error ? reason.message : String(reason);
}

/** The response that a call did not expect; empty if that is not why it failed. */
export function answerOf(reason: unknown): { readonly answer?: UnexpectedAnswer } {
  const answer = toolFailureOf(reason)?.details.answer;
  return answer === undefined ? {} : { answer };
}

/** The same without its data if they are long. */
export function shortAnswerOf(reason: unknown): { readonly answer?: UnexpectedAnswer } {
  const { answer } = answerOf(reason);
  if (answer === undefined) return {};
  const { headers: _, ...withoutHeaders } = answer;
  const isShort = (one: UnexpectedAnswer): boolean => jsonLength(one, MAX_ITEM_ANSWER) <= MAX_ITEM_ANSWER;
  return { answer: [answer, withoutHeaders].find(isShort) ?? { status: answer.status } };
}

/** The address that a call for an item went to; empty if it went to none. */
export function addressOf(
  name: string,
  { addresses }: Pick<RunOfCalls, 'addresses'>,
): { readonly url?: string } {
  const url = addresses.get(name);
  return url === undefined ? {} : { url };
}
