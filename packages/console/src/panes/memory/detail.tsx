import { useEffect } from 'preact/hooks';
import { go, place } from '../../address';
import type { Changes } from '../../hash';
import { LIVE_MS, useAsked } from '../../api/ask';
import { type Answer, client, dataOf } from '../../api/client';
import { useSend } from '../../api/send';
import { JsonTree } from '../../parts/json-tree';
import { Problem } from '../../parts/problem';
import { SchemaForm } from '../../parts/schema-form';
import { CLOSED, noteChange } from './changes';
import { FactDetail } from './fact-detail';
import { FORMS, startImport } from './forms';

/** What is open at the right: a memory, a fact, the report of an import, the receipt of an erasure, or a form. */
export function Detail({ user }: { user: string }) {
  const { memory, kind, fact, import: report, receipt, form = '' } = place.value.params;
  if (fact !== undefined) return <FactDetail user={user} id={fact} />;
  if (memory !== undefined) {
    const call = { params: { path: { id: memory } } };
    if (kind === 'semantic')
      return <Shown title="Concept" ask={() => client.value.GET('/api/memory/semantic/{id}', call)} />;
    return <Shown title="Event" ask={() => client.value.GET('/api/memory/episodic/{id}', call)} />;
  }
  if (receipt !== undefined) {
    const params = { path: { id: receipt }, query: { userId: user } };
    const ask = () => client.value.GET('/api/memory/erasures/{id}', { params });
    return <Shown title="Receipt of the erasure" ask={ask} />;
  }
  if (report !== undefined) {
    const params = { path: { userId: user, importId: report } };
    const ask = () => client.value.GET('/api/memory/import/{userId}/{importId}', { params });
    return <Shown title="Import" ask={ask} isOpen={({ state }) => state === 'running'} />;
  }
  return <FormDetail user={user} form={form} />;
}

interface ShownProps<T> {
  readonly title: string;
  readonly ask: () => Promise<Answer<{ readonly data: T }>>;
  /** Whether the answer may change; absent: it does not. */
  readonly isOpen?: (data: T) => boolean;
}

/** What the API says of something, as it says it. */
function Shown<T>({ title, ask, isOpen }: ShownProps<T>) {
  const { data, problem } = useAsked(title, () => dataOf<{ readonly data: T }>(ask()), {
    everyMs: (shown) =>
      isOpen !== undefined && (shown === undefined || isOpen(shown)) ? LIVE_MS : undefined,
  });
  useEffect(() => {
    if (data !== undefined && isOpen?.(data) === false) noteChange();
  }, [data]);
  return (
    <article class="run">
      <div class="head">
        <h2>{title}</h2>
      </div>
      <Problem problem={problem} />
      <div class="part">{data !== undefined && <JsonTree value={data} open={3} />}</div>
    </article>
  );
}

function FormDetail({ user, form: name }: { user: string; form: string }) {
  const { problem, send } = useSend();
  const form = FORMS[name];
  if (form === undefined) return null;
  const finish = async (request: Promise<Changes>): Promise<void> => {
    const changes = await request;
    // A reader who has moved on meanwhile stays there.
    if (place.value.params['form'] === name) go({ ...CLOSED, ...changes });
    noteChange();
  };
  return (
    <article class="run memory-form">
      <div class="head">
        <h2>{form.action}</h2>
        <p class="quiet">{form.about}</p>
      </div>
      <SchemaForm
        key={name}
        label={form.action}
        schema={form.schema}
        submit={form.action}
        onSubmit={(value) => finish(form.send(user, value as Readonly<Record<string, string>>))}
      />
      {name === 'import' && (
        <label class="part">
          or a file{' '}
          <input
            type="file"
            onChange={({ currentTarget: { files } }) => {
              const file = files?.[0];
              if (file !== undefined) send(() => finish(startImport(user, file)));
            }}
          />
        </label>
      )}
      <Problem problem={problem} />
    </article>
  );
}
