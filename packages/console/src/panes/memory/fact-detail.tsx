import { hrefWith, useGo } from '../../address';
import { useAsked } from '../../api/ask';
import { client, dataOf } from '../../api/client';
import { Actions } from '../../parts/actions';
import { Detail } from '../../parts/detail';
import { Problem } from '../../parts/problem';
import { SchemaForm } from '../../parts/schema-form';
import { changes, CLOSED, noteChange } from './changes';
import { heldOf, nameOf, readFacts } from './facts';

const EVERY = { history: true, uncertain: true };
const CORRECTION = {
  properties: { value: { type: 'string', description: 'What held instead, from the beginning' } },
  required: ['value'],
};

/** The API has no address for one fact, so that the pages of the list are read up to it. */
async function findFact(user: string, id: string, signal: AbortSignal) {
  for (let next: string | undefined = '0'; next !== undefined;) {
    const page: Awaited<ReturnType<typeof readFacts>> = await readFacts(user, EVERY, next, signal);
    const fact = page.rows.find((each) => each.id === id);
    if (fact !== undefined) return { fact };
    next = page.next;
  }
  return {};
}

/** A fact that is open at the right: what says it, its correction and its retraction. */
export function FactDetail({ user, id }: { user: string; id: string }) {
  const goLater = useGo();
  const { data, problem } = useAsked('fact', (signal) => findFact(user, id, signal), {
    version: changes.value,
  });
  if (data === undefined) return <Problem problem={problem} />;
  const { fact } = data;
  if (fact === undefined) return <p class="part">There is no such fact.</p>;
  const params = { path: { userId: user, factId: id } };
  const correct = async ({ value }: Readonly<Record<string, unknown>>): Promise<void> => {
    const options = { params, body: { value: String(value) } };
    const next = await dataOf(client.value.PATCH('/api/memory/facts/{userId}/{factId}', options));
    noteChange();
    goLater({ fact: next.id });
  };
  const retract = () =>
    dataOf(client.value.DELETE('/api/memory/facts/{userId}/{factId}', { params })).then(noteChange);
  return (
    <Detail
      title={`${nameOf(fact)}: ${fact.value}`}
      about={`${heldOf(fact)} · ${fact.drawnBy === undefined ? 'a correction' : `drawn by ${fact.drawnBy}`}`}
    >
      <ul class="part">
        {fact.sources.map(({ memoryId, archived }) => (
          <li key={memoryId}>
            said in{' '}
            {archived === true ? (
              memoryId
            ) : (
              <a href={hrefWith({ ...CLOSED, memory: memoryId })}>{memoryId}</a>
            )}
          </li>
        ))}
      </ul>
      {fact.neverHeld !== true && (
        <>
          <SchemaForm label="Correction" schema={CORRECTION} submit="Correct" onSubmit={correct} />
          <div class="part">
            <Actions actions={[{ name: 'Retract', isFinal: true, act: retract }]} />
          </div>
        </>
      )}
    </Detail>
  );
}
