import { isDeepStrictEqual } from 'node:util';
import type { HoldfastError } from '../../src/base/errors';
import type { Approval, OnDeadline } from '../../src/contracts/http/approvals';
import { HIDDEN } from '../../src/contracts/redact';
import type { ReachedLimit } from '../../src/contracts/runs/budgets';
import { ERROR_TABLE } from '../http/error-table';
import { type Html, html } from '../http/html';
import type { Page } from '../http/page-route';
import { MAX_COMMENT_LENGTH } from './approval-requests';
import { inOrder, prettyJson } from './link-form';

/** How many lines of arguments the field shows at once. */
const MAX_ROWS = 24;

const WITHOUT_ANSWER: Readonly<Record<OnDeadline, string>> = {
  deny: 'it is denied',
  approve: 'it is approved',
  fail: 'its run fails',
};

const HEADINGS: Readonly<Record<Approval['kind'], string>> = {
  tool: 'A call waits for your approval',
  step: 'A call waits for your approval',
  budget: 'A run needs a higher budget',
  output: 'A call waits for the program that runs its tool',
};

/** A form that cannot be used, and why. */
interface RefusedForm {
  readonly error: HoldfastError;
  readonly form: URLSearchParams;
}

/**
 * The page that asks.
 * @param by who answers by the link
 * @param refused the form that was sent before, whose texts the page has again
 */
export function questionPage(approval: Approval, by: string | undefined, refused?: RefusedForm): Page {
  const { kind, args } = approval;
  const typed = (name: string): string | undefined => refused?.form.get(name) ?? undefined;
  const isChangeable = (kind === 'tool' || kind === 'step') && typeof args !== 'string';
  const heading = HEADINGS[kind];
  return {
    status: refused === undefined ? 200 : 400,
    title: refused === undefined ? heading : 'This answer cannot be used',
    content: html`${refused === undefined ? undefined : problemOf(refused.error)} ${detailsOf(approval)}
      ${isChangeable && refused === undefined ? undefined : argumentsOf('Proposed arguments', args)}
      <form method="post">
        ${kind === 'budget' ? limitField(args as ReachedLimit, typed('max')) : undefined}
        ${isChangeable ? argumentsField(prettyJson(args), typed('args')) : undefined}
        <label for="comment">Comment, which the caller and the model that planned the call may read</label>
        <textarea id="comment" name="comment" rows="3" maxlength="${String(MAX_COMMENT_LENGTH)}">
${typed('comment')}</textarea>
        ${by === undefined ? undefined : html`<p>You answer as <b>${by}</b>.</p>`}
        ${kind === 'output' ? undefined : html`<button name="decision" value="approve">Approve</button>`}
        <button name="decision" value="deny" formnovalidate>Deny</button>
      </form>`,
  };
}

function problemOf({ details, message }: HoldfastError): Html {
  return html`<p role="alert"><b>Nothing was answered.</b> ${String(details?.['field'])}: ${message}</p>`;
}

/** The field for the new limit. A denial needs no limit. */
function limitField({ limit, used }: ReachedLimit, typed: string | undefined): Html {
  return html`<label for="max">New ${limit}, more than ${String(used)}</label>
    <input id="max" name="max" inputmode="decimal" required value="${typed}" />`;
}

/** The field for the arguments. */
function argumentsField(shown: string, typed = shown): Html {
  const rows = String(Math.min(typed.split('\n').length + 1, MAX_ROWS));
  return html`<label for="args">
      Arguments with which the call is made, as JSON. You may change
      them.${shown.includes(HIDDEN) ? ` ${HIDDEN} stands for a credential, which is kept.` : ''}
    </label>
    <textarea id="args" name="args" rows="${rows}" spellcheck="false" autocomplete="off">${typed}</textarea>`;
}

/** The page after an answer was accepted. */
export function answeredPage(approval: Approval): Page {
  return {
    status: 200,
    title: 'Your answer was accepted',
    content: html`${endOf(approval)}${detailsOf(approval)}${bothArguments(approval)}`,
  };
}

/** The page of an approval that takes no answer any more. @param status of the response */
export function endedPage(approval: Approval, status: 200 | 410): Page {
  return {
    status,
    title: 'This approval has ended',
    content: html`${endOf(approval)}${detailsOf(approval)}${bothArguments(approval)}`,
  };
}

/** The page of a request that was not answered. @param status of the response */
export function problemPage({ code, message, details }: HoldfastError, status: number): Page {
  const page = (title: string, text: string): Page => ({ status, title, content: html`<p>${text}</p>` });
  if (code === 'APPROVAL_NOT_FOUND')
    return page('This link is not valid', 'Check that the address is complete, or ask for another link.');
  if (code === 'APPROVAL_EXPIRED')
    return page('This link has expired', 'Ask for another link, if the call still waits.');
  if (code === 'VALIDATION')
    return page('This form cannot be used', `${String(details?.['field'])}: ${message}`);
  if (status === 503)
    return page(
      'Please try again in a moment',
      'The service is not available. An answer that was just sent may have been accepted, and to send it again does no harm.',
    );
  return page(ERROR_TABLE[code].title, 'The answer was not accepted.');
}

/** How an approval ended. */
function endOf({ status, decision, by, answeredAt, comment }: Approval): Html {
  if (status === 'expired') {
    const counts =
      decision === undefined ? '' : ` It counts as ${decision === 'approve' ? 'approved' : 'denied'}.`;
    return html`<p>It expired without an answer: the deadline passed, or its run ended first.${counts}</p>`;
  }
  return html`<p>
      It was <b>${status}</b>${by === undefined ? undefined : html` by <b>${by}</b>`}${
        answeredAt === undefined ? undefined : html` at ${timeOf(answeredAt)}`
      }.
    </p>
    ${comment === undefined ? undefined : html`<p>Comment: ${comment}</p>`}`;
}

function detailsOf({ kind, toolName, runId, step, message, budget, ...approval }: Approval): Html {
  const { deadline, onDeadline } = approval;
  const rows = [
    ['Message', message && inOrder(message)],
    ['Kind', kind === 'step' && toolName === undefined ? 'step, which asks a model' : kind],
    ['Tool', toolName],
    ['Run', runId],
    ['Step', step],
    ['New limits', budget && JSON.stringify(budget)],
  ] as const;
  return html`<dl>
    ${rows.map(([name, text]) =>
      text === undefined
        ? html``
        : html`<dt>${name}</dt>
            <dd>${text}</dd>`,
    )}
    <dt>Deadline</dt>
    <dd>${timeOf(deadline)}; without an answer ${WITHOUT_ANSWER[onDeadline]}</dd>
  </dl>`;
}

/** The arguments of the call, and, if an answer has changed them, those that were proposed. */
function bothArguments({ args, proposedArgs = args }: Approval): Html {
  const isChanged = !isDeepStrictEqual(args, proposedArgs);
  return html`${argumentsOf('Arguments', args)}
  ${isChanged ? argumentsOf('Proposed arguments', proposedArgs) : undefined}`;
}

/** Arguments that are long are a note of their length. */
function argumentsOf(title: string, args: unknown): Html {
  const shown =
    typeof args === 'string'
      ? html`<p>They are too long to be shown or changed here (${args}). An approval is for all of them.</p>`
      : html`<pre>${prettyJson(args)}</pre>`;
  return html`<h2>${title}</h2>
    ${shown}`;
}

/** Writes a time of ISO 8601 for people: `2026-11-24 15:22:47 UTC`. */
function timeOf(iso: string): Html {
  const shown = `${iso.slice(0, 19).replace('T', ' ')} UTC`;
  return html`<time datetime="${iso}">${shown}</time>`;
}
