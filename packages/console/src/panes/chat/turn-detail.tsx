import { hrefOf, place } from '../../address';
import { useRun } from '../../api/follow-run';
import { JsonTree } from '../../parts/json-tree';
import { Problem } from '../../parts/problem';
import { StatusSign } from '../../parts/status-sign';
import { Time } from '../../parts/time';
import { readTurn } from './answer-of-turn';

/** What a turn did: its intent, the memories that it recalled, and its tools. */
export function TurnDetail({ traceId }: { traceId: string }) {
  const { run, steps, problem } = useRun(traceId);
  if (run === undefined) return <Problem problem={problem} />;
  const { query, answer, sources, degraded, figures } = readTurn(run, steps);
  const { intent, reasoning, memoryContext, toolResults = [] } = answer;
  const { episodicMemories = [], semanticMemories = [] } = memoryContext ?? {};
  const memories = [
    ...episodicMemories.map(({ id, content: text }) => ({ id, text, kind: undefined })),
    ...semanticMemories.map(({ id, concept: text }) => ({ id, text, kind: 'semantic' })),
  ];
  const listed = memories.map(({ id, kind, text }) => (
    <li key={id}>
      <a href={hrefOf('memory', { user: place.value.params['user'], memory: id, kind })}>{text}</a>{' '}
      {sources?.includes(id) === false && <span class="quiet">recalled, not used</span>}
    </li>
  ));
  const parts = [
    ['Intent', intent && `${intent.type.replaceAll('_', ' ')}. ${reasoning ?? ''}`],
    ['Had to do without', degraded.length > 0 && <JsonTree value={degraded} />],
    ['Memories', listed.length > 0 && <ul>{listed}</ul>],
    ['Tools', toolResults.length > 0 && <JsonTree value={toolResults} open={3} />],
  ] as const;
  return (
    <article class="run">
      <div class="head">
        <h2>{query}</h2>
        <p>
          <StatusSign status={run.status} />{' '}
          <span class="quiet">
            {['', ...figures, ''].join(' · ')}
            <Time at={run.startedAt} />
          </span>
        </p>
        <p>
          <a href={hrefOf('runs', { run: traceId })}>The run of this turn</a>
        </p>
      </div>
      {run.error !== undefined && <Problem problem={{ details: undefined, ...run.error }} open={0} />}
      {parts.map(([title, content]) =>
        content ? (
          <section key={title} class="part" aria-label={title}>
            <h3>{title}</h3>
            {content}
          </section>
        ) : null,
      )}
    </article>
  );
}
