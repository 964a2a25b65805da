import { HoldfastError, isHoldfastError, validationError } from '../../src/base/errors';
import { ownerOfRun } from '../../src/contracts/runs/run-owner';
import { findApproval, type FoundApproval } from '../../temporal/approvals/read-approval';
import { serverClock } from '../../temporal/server-clock';
import type { PageRoute } from '../http/page-route';
import { answeredPage, endedPage, problemPage, questionPage } from './approval-page';
import type { ApprovalServices } from './approval-routes';
import { giveAnswer } from './give-answer';
import { readLinkForm } from './link-form';
import { LINK_PATH, type LinkPorts } from './link-route';
import type { ApprovalLink } from '../../src/secrets/signed-texts';

/** The pages that links to approvals lead to. A GET changes nothing, since programs that check mail open links. */
export function linkPages({
  engine,
  taskQueue,
  links,
  budgets,
  argumentChecks,
}: LinkPorts & Pick<ApprovalServices, 'budgets' | 'argumentChecks'>): PageRoute[] {
  const path = `${LINK_PATH}/:token`;

  /** @throws HoldfastError `APPROVAL_NOT_FOUND` for a token that was not made here; `APPROVAL_EXPIRED` */
  function readLink(token: string): ApprovalLink {
    const link = links.read(token);
    if (link === undefined) throw new HoldfastError('APPROVAL_NOT_FOUND', 'The link is not valid');
    if (link.expiresAt <= serverClock.now())
      throw new HoldfastError('APPROVAL_EXPIRED', 'The link has expired');
    return link;
  }

  const find = ({ approvalId }: ApprovalLink): Promise<FoundApproval> =>
    findApproval(engine, taskQueue, approvalId);

  return [
    {
      method: 'get',
      path,
      errorPage: problemPage,
      async handler({ params: { token = '' }, context: { redactor } }) {
        const link = readLink(token);
        const approval = redactor.value((await find(link)).approval);
        return approval.status === 'pending' ? questionPage(approval, link.by) : endedPage(approval, 200);
      },
    },
    {
      method: 'post',
      path,
      errorPage: problemPage,
      async handler({ params: { token = '' }, form, context: { logger, redactor, signal } }) {
        const link = readLink(token);
        const foundApproval = await find(link);
        // A link answers once, so the same answer again is refused too, other than by the route for programs.
        const shown = redactor.value(foundApproval.approval);
        if (shown.status !== 'pending') return endedPage(shown, 410);
        if (form === undefined) throw validationError('body', 'is not a form');
        try {
          const typed = readLinkForm(form, link.by, shown);
          const answered = await giveAnswer(
            { engine, taskQueue, budgets, argumentChecks },
            foundApproval,
            typed,
            { logger, owner: ownerOfRun(foundApproval.workflowId), redactor, signal },
            'an approval was answered by a link',
          );
          return answeredPage(redactor.value(answered));
        } catch (error) {
          if (!isHoldfastError(error)) throw error;
          if (error.code === 'VALIDATION') return questionPage(shown, link.by, { error, form });
          if (!ENDED.has(error.code)) throw error;
          // It has ended in another way since it was looked up.
          const approval = redactor.value((await find(link)).approval);
          if (approval.status === 'pending') throw error;
          return endedPage(approval, 410);
        }
      },
    },
  ];
}

const ENDED: ReadonlySet<string> = new Set(['APPROVAL_ANSWERED', 'APPROVAL_EXPIRED']);
