import { useEffect, useRef, useState } from 'preact/hooks';
import { LIVE_MS, useAsked } from '../../api/ask';
import { client, dataOf } from '../../api/client';
import { useRowKeys } from '../../parts/keys';
import { Problem } from '../../parts/problem';
import { needsKey } from '../../session';
import { sentTurns } from './composer';
import { Said, Turn } from './turn';

const PAGE = 10;
const MAX_LISTED = 500;

/** The turns of a session. Each is a run; of earlier ones, whose runs are not kept any more, memory has the texts. */
export function Turns({ user, session }: { readonly user: string; readonly session: string }) {
  const [limit, setLimit] = useState(PAGE);
  const [firstSent] = useState(sentTurns.value.length);
  const { data, problem, again } = useAsked(
    'turns',
    async (signal) => {
      const query = { userId: user, sessionId: session, limit };
      const page = await dataOf(client.value.GET('/api/runs', { params: { query }, signal }));
      return 'runs' in page ? { ...page, runs: [...page.runs].reverse() } : undefined;
    },
    { everyMs: LIVE_MS },
  );
  // Reading memories takes a scope that a key may lack, so that a person has to ask for them.
  const [mayRecall, recall] = useState(!needsKey);
  const isWhole = data !== undefined && data.next === undefined;
  const end = data?.runs[0]?.startedAt;
  const recalled = useAsked(isWhole && mayRecall ? `before ${end}` : undefined, (signal) => {
    const body = { userId: user, sessionId: session, tags: ['conversation'], timeRange: { end } };
    return dataOf(client.value.POST('/api/memory/episodic/search', { body, signal }));
  });
  const workflowIds = new Set((data?.runs ?? []).map(({ workflowId }) => workflowId));
  const earlier = (recalled.data ?? []).filter(({ context }) => !workflowIds.has(String(context['turn'])));
  const ids = new Set([
    ...(data?.runs ?? []).map(({ traceId }) => traceId),
    ...sentTurns.value.slice(firstSent),
  ]);
  const log = useRef<HTMLDivElement>(null);
  useRowKeys(log);
  // The log is turned over by its style, so that it begins at its end, and stays there while an answer grows.
  useEffect(() => log.current?.scrollTo(0, 0), [sentTurns.value]);
  const showEarlier = (): void => {
    if (isWhole) return recall(true);
    setLimit(Math.min(MAX_LISTED, limit + 3 * PAGE));
    again();
  };
  return (
    <div class="turns" role="log" aria-label="Turns" tabIndex={0} ref={log}>
      <div>
        <Problem problem={problem ?? recalled.problem} />
        {data !== undefined && !(isWhole && mayRecall) && limit < MAX_LISTED && (
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
