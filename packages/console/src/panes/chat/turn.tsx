import { hrefWith, place } from '../../address';
import { useRun } from '../../api/follow-run';
import { AnswerForm } from '../../parts/answer-form';
import { Problem } from '../../parts/problem';
import { StatusSign } from '../../parts/status-sign';
import { readTurn } from './answer-of-turn';

/** A message, as a bubble. */
export function Said({ by, text }: { by: string; text: string }) {
  return (
    <p class={by === 'user' ? 'bubble user' : 'bubble'}>
      <span class="unseen">{by}: </span>
      {text}
    </p>
  );
}

/** A turn: what was asked, what waits for a person, the answer as it is said, and a line of what it used. */
export function Turn({ traceId }: { traceId: string }) {
  const { run, steps, problem, again } = useRun(traceId);
  if (run === undefined) return <Problem problem={problem} />;
  const isOpen = run.closedAt === null;
  const { query, text, figures } = readTurn(run, steps);
  const waiting = (run.approvals ?? []).filter(({ status }) => isOpen && status === 'pending');
  return (
    <article aria-busy={isOpen && waiting.length === 0}>
      <Said by="user" text={query ?? '…'} />
      {waiting.map((approval) => {
        const { id, message, toolName, kind } = approval;
        return (
          <section key={id} class="ask" aria-label={`Approval of ${toolName ?? kind}`}>
            <b>{message ?? toolName ?? kind}</b>
            <AnswerForm approval={approval} onAnswer={again} />
          </section>
        );
      })}
      {text !== undefined && <Said by="agent" text={text} />}
      {run.error !== undefined && <Problem problem={{ details: undefined, ...run.error }} open={0} />}
      <a
        class="row used"
        href={hrefWith({ turn: traceId })}
        data-opens={traceId}
        aria-current={place.value.params['turn'] === traceId ? 'true' : undefined}
      >
        {run.status !== 'completed' && <StatusSign status={run.status} />} {figures.join(' · ')}
      </a>
    </article>
  );
}
