import { z } from 'zod';
import { approvalSchema } from '../../src/contracts/http/approvals';
import { type Pseudonyms, RUN_USER } from '../../src/secrets/pseudonyms';
import type { ArgumentChecks } from '../../src/tools/argument-check';
import { listApprovals } from '../../temporal/approvals/list-approvals';
import { findApproval } from '../../temporal/approvals/read-approval';
import type { Engine } from '../../temporal/engine';
import type { LookupScope } from '../../temporal/runs/run-lookup';
import { locateYoungRun } from '../../temporal/runs/young-run';
import { documentedAs } from '../http/examples';
import { type AnyRoute, routesWith } from '../http/route';
import type { BudgetPolicies } from '../../requests/budget-policies';
import { DEFAULT_LIMIT } from '../runs/list-requests';
import { decodeToken, encodeToken } from '../runs/page-token';
import { answerBody, approvalParams, listApprovalsQuery } from './approval-requests';
import { giveAnswer } from './give-answer';

export interface ApprovalRoutesPorts {
  readonly engine: Engine;
  readonly shown: Omit<LookupScope, 'owner'>;
}

/** What the routes of approvals need of the caller's tenant. */
export interface ApprovalServices {
  readonly pseudonyms: Pseudonyms;
  readonly budgets: Pick<BudgetPolicies, 'check'>;
  readonly argumentChecks: ArgumentChecks;
}

const { defineRoute } = routesWith<ApprovalServices>();

const TAG = 'Approvals';
const PATH = '/api/approvals/:approvalId';

/** The routes by which people answer runs that wait for them. */
export function approvalRoutes({ engine, shown }: ApprovalRoutesPorts): AnyRoute<ApprovalServices>[] {
  const { taskQueue } = shown;
  return [
    defineRoute({
      method: 'get',
      path: '/api/approvals',
      ...documentedAs('listApprovals'),
      access: 'read',
      tag: TAG,
      summary: 'Approvals, those that are pending first, newest first',
      description:
        'A page has at most `limit` approvals; it may have fewer, and none, if `status` or `toolName` drops some. ' +
        'A new approval is listed within about a second.',
      message: ({ approvals }) => `Found ${approvals.length} approvals`,
      request: { query: listApprovalsQuery },
      response: z.object({
        approvals: z.array(approvalSchema),
        next: z.string().optional().describe('Cursor of the next page; absent on the last page'),
      }),
      async handler(
        { query: { runId, userId, limit = DEFAULT_LIMIT, cursor, ...filter } },
        { owner, redactor, services: { pseudonyms } },
      ) {
        const workflowId =
          runId === undefined
            ? undefined
            : (await locateYoungRun(engine, { ...shown, owner }, { traceId: runId })).workflowId;
        const user = userId === undefined ? undefined : pseudonyms(RUN_USER, userId);
        const wanted = { ...filter, workflowId, owner: user === undefined ? owner : { ...owner, user } };
        const token = cursor === undefined ? undefined : decodeToken(cursor, wanted);
        const page = await listApprovals(engine, taskQueue, wanted, { limit, token });
        return {
          approvals: [...redactor.value(page.approvals)],
          ...(page.next === undefined ? {} : { next: encodeToken(page.next, wanted) }),
        };
      },
    }),
    defineRoute({
      method: 'get',
      path: PATH,
      ...documentedAs('getApproval'),
      access: 'read',
      tag: TAG,
      summary: 'One approval',
      message: 'Approval retrieved successfully',
      request: { params: approvalParams },
      response: approvalSchema,
      handler: async ({ params: { approvalId } }, { owner, redactor }) =>
        redactor.value((await findApproval(engine, taskQueue, approvalId, owner)).approval),
    }),
    defineRoute({
      method: 'post',
      path: PATH,
      ...documentedAs('answerApproval'),
      access: 'run',
      tag: TAG,
      summary: 'Answer an approval',
      description:
        'The response is sent after the engine has accepted the answer. The first answer counts: the same answer again ' +
        'is a 200, another one a 409, and one after the deadline or the end of the run a 410.',
      message: 'Approval answered successfully',
      request: { params: approvalParams, body: answerBody },
      response: approvalSchema,
      async handler({ params: { approvalId }, body }, { logger, owner, redactor, signal, services }) {
        const foundApproval = await findApproval(engine, taskQueue, approvalId, owner);
        const ports = { engine, taskQueue, ...services };
        return redactor.value(
          await giveAnswer(ports, foundApproval, body, { logger, owner, redactor, signal }),
        );
      },
    }),
  ];
}
