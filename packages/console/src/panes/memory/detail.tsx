import { useEffect } from 'preact/hooks';
import { place, useGo } from '../../address';
import type { Changes } from '../../hash';
import { LIVE_MS, useRead } from '../../api/ask';
import type { ReadParams, ReadPath } from '../../api/client';
import { useSend } from '../../api/send';
import { Detail } from '../../parts/detail';
import { JsonTree } from '../../parts/json-tree';
import { SchemaForm } from '../../parts/schema-form';
import { CLOSED, noteChange } from './changes';
import { FactDetail } from './fact-detail';
import { FORMS, startImport } from './forms';

/** What is open at the right: a memory, a fact, the report of an import, the receipt of an erasure, or a form. */
export function OpenDetail({ user }: { user: string }) {
  const { memory, kind, fact, import: report, receipt, form = '' } = place.value.params;
  if (fact !== undefined) return <FactDetail user={user} id={fact} />;
  if (memory !== undefined) {
    const params = { path: { id: memory } };
    if (kind === 'semantic')
      return <Shown title="Concept" path="/api/memory/semantic/{id}" params={params} />;
    return <Shown title="Event" path="/api/memory/episodic/{id}" params={params} />;
  }
  if (receipt !== undefined) {
    const params = { path: { id: receipt }, query: { userId: user } };
    return <Shown title="Receipt of the erasure" path="/api/memory/erasures/{id}" params={params} />;
  }
  if (report !== undefined) {
    const params = { path: { userId: user, importId: report } };
    return <Shown title="Import" path="/api/memory/import/{userId}/{importId}" params={params} />;
  }
  return <FormDetail user={user} form={form} />;
}

interface ShownProps<P extends ReadPath> {
  readonly title: string;
  readonly path: P;
  readonly params: ReadParams<P>;
}

/** What the API says of something, as it says it. An import is asked for until it has ended. */
function Shown<P extends ReadPath>({ title, path, params }: ShownProps<P>) {
  const isRunning = (shown: unknown): boolean => (shown as { state?: unknown } | null)?.state === 'running';
  const { data, problem } = useRead(path, params, {
    everyMs: (shown) => (isRunning(shown) ? LIVE_MS : undefined),
  });
  const isOver = data !== undefined && !isRunning(data);
  useEffect(() => {
    if (isOver) noteChange();
  }, [isOver]);
  return (
    <Detail title={title} problem={problem}>
      <div class="part">{data !== undefined && <JsonTree value={data} open={3} />}</div>
    </Detail>
  );
}

function FormDetail({ user, form: name }: { user: string; form: string }) {
  const { problem, send } = useSend();
  const goLater = useGo();
  const form = FORMS[name];
  if (form === undefined) return null;
  const finish = async (request: Promise<Changes>): Promise<void> => {
    const changes = await request;
    goLater({ ...CLOSED, ...changes });
    noteChange();
  };
  return (
    <Detail title={form.action} about={form.about} problem={problem} class="memory-form">
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
    </Detail>
  );
}
