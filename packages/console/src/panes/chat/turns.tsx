import { useEffect, useRef, useState } from 'preact/hooks';
import { hrefWith, place } from '../../address';
import { may } from '../../session';
import { LIVE_MS } from '../../api/ask';
import { read } from '../../api/client';
import { readEvents } from '../../api/events';
import { useRun } from '../../api/follow-run';
import { AnswerForm } from '../../parts/answer-form';
import { useRowKeys } from '../../parts/keys';
import { Problem } from '../../parts/problem';
import { pageOf, useRows } from '../../parts/rows';
import { StatusSign } from '../../parts/status-sign';
import { readTurn } from './answer-of-turn';
import { sentTurns } from './composer';

const PAGE = 10;

/** The turns of a session. Each is a run; of earlier ones, whose runs are not kept any more, memory has the texts. */
export function Turns({ user, session }: { readonly user: string; readonly session: string }) {
  const [firstSent] = useState(sentTurns.value.length);
  const who = { userId: user, sessionId: session };
  const turns = useRows({
    question: 'turns',
    read: (cursor, signal) =>
      pageOf(read('/api/runs', { query: { ...who, limit: PAGE, cursor } }, signal), 'runs'),
    keyOf: ({ traceId }) => traceId,
    everyMs: LIVE_MS,
  });
  // Nothing moves when a turn is added at the end.
  useEffect(() => {
    if (turns.changed > 0) turns.take();
  });
  const isWhole = turns.rows !== undefined && turns.more === undefined;
  const runs = [...(turns.rows ?? [])].reverse();
  const end = runs[0]?.startedAt;
  const recalled = useRows({
    question: isWhole && may('memory') ? 'earlier' : undefined,
    read: (before = end, signal) => readEvents({ ...who, tags: ['conversation'] }, before, signal),
    keyOf: ({ id }) => id,
  });
  const workflowIds = new Set(runs.map(({ workflowId }) => workflowId));
  const earlier = (recalled.rows ?? []).filter(({ context }) => !workflowIds.has(String(context['turn'])));
  const ids = new Set([...runs.map(({ traceId }) => traceId), ...sentTurns.value.slice(firstSent)]);
  const log = useRef<HTMLDivElement>(null);
  useRowKeys(log);
  // The log is turned over by its style, so that it begins at its end, and stays there while an answer grows.
  useEffect(() => log.current?.scrollTo(0, 0), [sentTurns.value]);
  const showEarlier = turns.more ?? recalled.more;
  return (
    <div class="turns" role="log" aria-label="Turns" tabIndex={0} ref={log}>
      <div>
        <Problem problem={turns.problem ?? recalled.problem} />
        {showEarlier !== undefined && (
          <button type="button" onClick={showEarlier}>
            Earlier {isWhole ? 'messages, from memory' : 'turns'}
          </button>
        )}
        {earlier.reverse().map(({ id, content, metadata: { source } }) => (
          <Said key={id} by={source} text={content} />
        ))}
        {[...ids].map((traceId) => (
          <Turn key={traceId} traceId={traceId} />
        ))}
      </div>
    </div>
  );
}

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
      <Problem problem={run.error} open={0} />
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
