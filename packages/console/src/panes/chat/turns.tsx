import { useEffect, useRef, useState } from 'preact/hooks';
import { LIVE_MS } from '../../api/ask';
import { read } from '../../api/client';
import { readEvents } from '../../api/events';
import { useRowKeys } from '../../parts/keys';
import { Problem } from '../../parts/problem';
import { pageOf, useRows } from '../../parts/rows';
import { may } from '../../session';
import { sentTurns } from './composer';
import { Said, Turn } from './turn';

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
    question: isWhole && may('memory') ? `before ${end}` : undefined,
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
