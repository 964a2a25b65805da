import type { HoldfastError } from '../../src/base/errors';
import type { Approval, OnDeadline } from '../../src/contracts/http/approvals';
import type { ReachedLimit } from '../../src/contracts/runs/budgets';
import { ERROR_TABLE } from '../http/error-table';
import { type Html, html } from '../http/html';
import type { Page } from '../http/page-route';
import { MAX_COMMENT_LENGTH } from './approval-requests';

const WITHOUT_ANSWER: Readonly<Record<OnDeadline, string>> = {
  deny: 'it is denied',
  approve: 'it is approved',
  fail: 'its run fails',
};

/** Characters that change the order in which a line is shown, so that its text would look like another one. */
const REORDERING = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** The page that asks. @param by who answers by the link */
export function questionPage(approval: Approval, by: string | undefined): Page {
  return {
    status: 200,
    title: approval.kind === 'budget' ? 'A run needs a higher budget' : 'A call waits for your approval',
    content: html`${detailsOf(approval)}
      <form method="post">
        ${approval.kind === 'budget' ? limitField(approval.args as ReachedLimit) : undefined}
        <label for="comment">Comment, which the caller and the model that planned the call may read</label>
        <textarea id="comment" name="comment" rows="3" maxlength="${String(MAX_COMMENT_LENGTH)}"></textarea>
        ${by === undefined ? undefined : html`<p>You answer as <b>${by}</b>.</p>`}
        <button name="decision" value="approve">Approve</button>
        <button name="decision" value="deny" formnovalidate>Deny</button>
      </form>`,
  };
}

/** The field for the new limit. A denial needs no limit. */
function limitField({ limit, used }: ReachedLimit): Html {
  return html`<label for="max">New ${limit}, more than ${String(used)}</label>
    <input id="max" name="max" inputmode="decimal" required />`;
}

/** The page after an answer was accepted. */
export function answeredPage(approval: Approval): Page {
  return {
    status: 200,
    title: 'Your answer was accepted',
    content: html`${endOf(approval)}${detailsOf(approval)}`,
  };
}

/** The page of an approval that takes no answer any more. @param status of the response */
export function endedPage(approval: Approval, status: 200 | 410): Page {
  return {
    status,
    title: 'This approval has ended',
    content: html`${endOf(approval)}${detailsOf(approval)}`,
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

function detailsOf({ kind, toolName, runId, step, message, args, budget, ...approval }: Approval): Html {
  const { deadline, onDeadline } = approval;
  const rows = [
    ['Message', message],
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
    </dl>
    <h2>Arguments</h2>
    <pre>${prettyJson(args)}</pre>`;
}

/** Writes a value as JSON whose characters are shown in their order. */
function prettyJson(value: unknown): string {
  const text = JSON.stringify(value, undefined, 2) as string | undefined;
  return (text ?? '').replace(
    REORDERING,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Writes a time of ISO 8601 for people: `2026-11-24 15:22:47 UTC`. */
function timeOf(iso: string): Html {
  const shown = `${iso.slice(0, 19).replace('T', ' ')} UTC`;
  return html`<time datetime="${iso}">${shown}</time>`;
}
