import { z } from 'zod';
import { type Approval, MAX_DEADLINE_MS, MIN_DEADLINE_MS } from '../../src/contracts/http/approvals';
import { checkPending } from '../../temporal/approvals/answer-approval';
import { findApproval } from '../../temporal/approvals/read-approval';
import type { Engine } from '../../temporal/engine';
import { serverClock } from '../../temporal/server-clock';
import { documentedAs } from '../http/examples';
import { type AnyRoute, defineRoute } from '../http/route';
import { answerBody, approvalParams } from './approval-requests';
import type { ApprovalLinks } from '../../src/secrets/signed-texts';

/** The path of the pages that links lead to. */
export const LINK_PATH = '/api/approvals/links';

export interface LinkPorts {
  readonly engine: Engine;
  readonly taskQueue: string;
  readonly links: ApprovalLinks;
}

const linkBody = z.strictObject({
  expiresInMs: z
    .int()
    .min(MIN_DEADLINE_MS, `must be at least ${MIN_DEADLINE_MS}`)
    .max(MAX_DEADLINE_MS, `must be at most ${MAX_DEADLINE_MS}`)
    .optional()
    .describe('How long the link may be used, milliseconds; at most, and by default, until the deadline'),
  by: answerBody.shape.by.describe('Who answers by the link'),
});

/**
 * The route that makes links by which people answer an approval.
 * @param publicUrl the address under which people reach this API; undefined: the one that the request was sent to
 */
export function linkRoute({
  engine,
  taskQueue,
  links,
  publicUrl,
}: LinkPorts & { readonly publicUrl: string | undefined }): AnyRoute {
  return defineRoute({
    method: 'post',
    path: '/api/approvals/:approvalId/links',
    ...documentedAs('createApprovalLink'),
    access: 'run',
    tag: 'Approvals',
    summary: 'Make a link by which a person answers an approval',
    description:
      'The link leads to a page with the question and two buttons. Opening it changes nothing. It answers once, until it ' +
      'expires, for any person that has it.',
    status: 201,
    message: 'Link created successfully',
    request: { params: approvalParams, body: linkBody },
    response: z.object({ url: z.string(), expiresAt: z.string() }),
    location: ({ url }) => url,
    async handler({ params: { approvalId }, body: { expiresInMs, by } }, { origin, logger, owner }) {
      const { approval } = await findApproval(engine, taskQueue, approvalId, owner);
      checkPending(approval);
      const { url, expiresAt } = approvalLink({ links, publicUrl }, approval, { origin, expiresInMs, by });
      const until = new Date(expiresAt).toISOString();
      logger.info(
        { approvalId, traceId: approval.runId, expiresAt: until },
        'a link to an approval was made',
      );
      return { url, expiresAt: until };
    },
  });
}

export interface LinkRequest {
  /** The address that the request was sent to. */
  readonly origin: string;
  /** Absent: until the deadline. */
  readonly expiresInMs?: number | undefined;
  readonly by?: string | undefined;
}

/** Makes a link by which a person answers an approval. @returns also until when, epoch milliseconds */
export function approvalLink(
  { links, publicUrl }: Pick<LinkPorts, 'links'> & { readonly publicUrl: string | undefined },
  { id, deadline }: Pick<Approval, 'id' | 'deadline'>,
  { origin, expiresInMs, by }: LinkRequest,
): { readonly url: string; readonly expiresAt: number } {
  const end = Date.parse(deadline);
  const expiresAt = expiresInMs === undefined ? end : Math.min(serverClock.now() + expiresInMs, end);
  const token = links.sign({ approvalId: id, expiresAt, by });
  return { url: `${(publicUrl ?? origin).replace(/\/+$/, '')}${LINK_PATH}/${token}`, expiresAt };
}
