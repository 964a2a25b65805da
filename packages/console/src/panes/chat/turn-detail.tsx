import { hrefOf, place } from '../../address';
import { useRun } from '../../api/follow-run';
import { Detail, Part } from '../../parts/detail';
import { JsonTree } from '../../parts/json-tree';
import { Problem } from '../../parts/problem';
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
    <Detail
      title={query}
      status={run.status}
      about={
        <>
          {['', ...figures, ''].join(' · ')}
          <Time at={run.startedAt} />
        </>
      }
      link={{ text: 'The run of this turn', href: hrefOf('runs', { run: traceId }) }}
    >
      <Problem problem={run.error} open={0} />
      {parts.map(([title, content]) =>
        content ? (
          <Part key={title} class="part" title={title}>
            {content}
          </Part>
        ) : null,
      )}
    </Detail>
  );
}
