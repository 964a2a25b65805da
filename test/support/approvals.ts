import type { Approval } from '../../src/contracts/http/approvals';
import type { Answer } from './http';
import type { Api } from './stage';
import { waitFor } from './wait';

type Calls = Pick<Api, 'get' | 'post'>;

/** The approvals that a 202 says its run waits for. Throws any other answer. */
export function approvalsIn({ status, body, text }: Answer): Approval[] {
  if (status !== 202 || body.data.status !== 'waiting') throw new Error(`status ${status}: ${text}`);
  return body.data.approvals as Approval[];
}

export function answerApproval(
  { post }: Calls,
  { id }: Pick<Approval, 'id'>,
  answer: object,
): Promise<Answer> {
  return post(`/api/approvals/${id}`, answer);
}

/** Repeats a request until its run does not wait any more. */
export function untilEnded(start: () => Promise<Answer>): Promise<Answer> {
  return waitFor(
    async () => {
      const answer = await start();
      return answer.status === 202 ? undefined : answer;
    },
    { what: 'the run to end' },
  );
}

/** Lists approvals. Throws any answer but a page. */
async function listedApprovals({ get }: Calls, query: string): Promise<Approval[]> {
  const { status, body, text } = await get(`/api/approvals?${query}`);
  if (status !== 200) throw new Error(`status ${status}: ${text}`);
  return body.data.approvals as Approval[];
}

/** Waits until the list has as many approvals. */
export function untilListed(api: Calls, query: string, count: number): Promise<Approval[]> {
  return waitFor(
    async () => {
      const found = await listedApprovals(api, query);
      return found.length === count ? found : undefined;
    },
    { what: `${count} approvals to be listed` },
  );
}

/** Cancels the runs that wait for an answer that no test has given. */
export async function cancelWaiting({ get, post }: Calls): Promise<void> {
  await waitFor(
    async () => {
      const { approvals } = (await get('/api/approvals?status=pending')).body.data;
      for (const { runId } of approvals) await post(`/api/runs/${runId}/cancel`, {});
      return approvals.length === 0 ? true : undefined;
    },
    { what: 'no run to wait' },
  );
}
