import { hrefOf } from '../../address';
import { LIVE_MS, useAsked } from '../../api/ask';
import { client, dataOf, type Schemas } from '../../api/client';
import { JsonTree } from '../../parts/json-tree';
import { Problem } from '../../parts/problem';
import { StatusSign } from '../../parts/status-sign';
import { Time } from '../../parts/time';
import { AnswerForm } from '../../parts/answer-form';

type Approval = Schemas['Approval'];

/** An approval that is open at the right: the question, and the form that answers it or the answer. */
export function ApprovalDetail({ id }: { id: string }) {
  const { data, problem, again } = useAsked(
    `approval ${id}`,
    (signal) =>
      dataOf(
        client.value.GET('/api/approvals/{approvalId}', { params: { path: { approvalId: id } }, signal }),
      ),
    // Another person may answer meanwhile.
    { everyMs: LIVE_MS },
  );
  if (data === undefined) return <Problem problem={problem} />;
  const { status, message, toolName, step, kind, runId } = data;
  return (
    <article class="run">
      <div class="head">
        <h2>{message ?? toolName ?? kind}</h2>
        <p>
          <StatusSign status={status} />{' '}
          <span class="quiet">
            {kind === 'budget' ? 'budget' : `step ${step}`}
            {toolName !== undefined && ` · ${toolName}`} · asked <Time at={data.requestedAt} /> ·{' '}
            {status === 'pending' ? `${data.onDeadline} ` : 'deadline '}
            <Time at={data.deadline} />
          </span>
        </p>
        <p>
          <a href={hrefOf('runs', { run: runId, step: kind === 'budget' ? undefined : step })}>
            The run that waits
          </a>
        </p>
      </div>
      {status === 'pending' ? <AnswerForm approval={data} onAnswer={again} /> : <Answered approval={data} />}
    </article>
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
        <section aria-label="Arguments">
          <h3>Arguments</h3>
          <JsonTree value={budget ?? args} />
        </section>
        {proposedArgs !== undefined && JSON.stringify(proposedArgs) !== JSON.stringify(args) && (
          <section aria-label="As proposed">
            <h3>As proposed</h3>
            <JsonTree value={proposedArgs} />
          </section>
        )}
      </div>
    </div>
  );
}
