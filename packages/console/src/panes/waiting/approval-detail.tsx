import { hrefOf } from '../../address';
import { LIVE_MS, useRead } from '../../api/ask';
import type { Schemas } from '../../api/client';
import { Detail, Part } from '../../parts/detail';
import { JsonTree } from '../../parts/json-tree';
import { Problem } from '../../parts/problem';
import { Time } from '../../parts/time';
import { AnswerForm } from '../../parts/answer-form';

type Approval = Schemas['Approval'];

/** An approval that is open at the right: the question, and the form that answers it or the answer. */
export function ApprovalDetail({ id }: { id: string }) {
  const { data, problem, again } = useRead(
    '/api/approvals/{approvalId}',
    { path: { approvalId: id } },
    // Another person may answer meanwhile.
    { everyMs: LIVE_MS },
  );
  if (data === undefined) return <Problem problem={problem} />;
  const { status, message, toolName, step, kind, runId } = data;
  return (
    <Detail
      title={message ?? toolName ?? kind}
      status={status}
      about={
        <>
          {kind === 'budget' ? 'budget' : `step ${step}`}
          {toolName !== undefined && ` · ${toolName}`} · asked <Time at={data.requestedAt} /> ·{' '}
          {status === 'pending' ? `${data.onDeadline} ` : 'deadline '}
          <Time at={data.deadline} />
        </>
      }
      link={{
        text: 'The run that waits',
        href: hrefOf('runs', { run: runId, step: kind === 'budget' ? undefined : step }),
      }}
      problem={problem}
    >
      {status === 'pending' ? <AnswerForm approval={data} onAnswer={again} /> : <Answered approval={data} />}
    </Detail>
  );
}

function Answered({ approval }: { approval: Approval }) {
  const { status, by, answeredAt, comment, args, proposedArgs, budget } = approval;
  return (
    <div class="answered">
      <p role="status">
        {status === 'expired'
          ? 'No answer came in time.'
          : `${status} by ${by ?? 'a caller without a name'}, `}
        {answeredAt !== undefined && <Time at={answeredAt} />}
      </p>
      {comment !== undefined && <blockquote>{comment}</blockquote>}
      <div class="values">
        <Part title="Arguments">
          <JsonTree value={budget ?? args} />
        </Part>
        {proposedArgs !== undefined && JSON.stringify(proposedArgs) !== JSON.stringify(args) && (
          <Part title="As proposed">
            <JsonTree value={proposedArgs} />
          </Part>
        )}
      </div>
    </div>
  );
}
