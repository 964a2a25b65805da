import { useState } from 'preact/hooks';
import { useGo } from '../../address';
import { useAsked, useRead } from '../../api/ask';
import { Actions } from '../../parts/actions';
import { Detail } from '../../parts/detail';
import { parseJson } from '../../parts/json-field';
import { Problem } from '../../parts/problem';
import { CodeField } from './code-field';
import { complete } from './completion';
import { type DefinitionKind, WORKFLOW } from './definitions';
import { layOutGraph } from './graph';
import { Graph } from './graph-view';
import { markMistake } from './json-places';
import { useStarted } from './outcome';
import { RunForm } from './run-form';

interface DefinitionEditorProps {
  readonly kind: DefinitionKind;
  /** Undefined for a new one. */
  readonly id: string | undefined;
  readonly onStore: () => void;
}

/** Writes a workflow or an agent: a new one, or one that is stored. */
export function DefinitionEditor({ kind, id, onStore }: DefinitionEditorProps) {
  const { data, problem } = useAsked(id && `${kind.name} ${id}`, (signal) => kind.read(id ?? '', signal));
  const first = id === undefined ? kind.first : data;
  if (first === undefined) return <Problem problem={problem} />;
  return <Editor kind={kind} id={id} first={JSON.stringify(first, undefined, 2)} onStore={onStore} />;
}

function Editor({ kind, id = '', first, onStore }: DefinitionEditorProps & { first: string }) {
  const [text, setText] = useState(first);
  const [stored, keepStored] = useState(first);
  const [newId, setNewId] = useState(id);
  const tools = useRead('/api/tools', {}).data?.map(({ name }) => name) ?? [];
  const started = useStarted();
  const goLater = useGo();
  const { value: parsed, problem: mistake } = parseJson(text);
  const value = typeof parsed === 'object' && parsed !== null ? { ...parsed } : undefined;
  const foundMarks = kind.useMarks(text, value);
  const marks = mistake === undefined ? (foundMarks ?? []) : [markMistake(text, mistake)];
  const isValid = foundMarks?.length === 0 && mistake === undefined;
  const { name, steps } = (value ?? {}) as { name?: unknown; steps?: unknown };
  const isStored = id !== '' && text === stored;
  const store = async (): Promise<void> => {
    await kind.store(newId, value ?? {});
    keepStored(text);
    onStore();
    goLater({ [kind.name]: newId });
  };
  return (
    <Detail
      title={typeof name === 'string' ? name : kind.name}
      about={isStored ? `stored as ${id}` : 'not stored'}
    >
      <div class={kind === WORKFLOW ? 'editor' : 'editor alone'}>
        <CodeField
          label="Definition"
          text={text}
          onText={setText}
          marks={marks}
          complete={(written, caret) => complete(written, caret, tools)}
        />
        {kind === WORKFLOW && (
          <Graph
            nodes={layOutGraph(steps)}
            statuses={new Map(started.steps.map((step) => [step.id, step.status]))}
          />
        )}
      </div>
      <div class="answer store">
        <label>
          Id
          <input value={newId} onInput={({ currentTarget }) => setNewId(currentTarget.value.trim())} />
        </label>
        <Actions
          actions={[{ name: 'Store', isOff: !isValid || newId === '' || !kind.mayStore(), act: store }]}
        />
      </div>
      {(kind === WORKFLOW || isStored) && (
        <RunForm
          label={`Run the ${kind.name}`}
          schema={kind.schemaOf(value ?? {})}
          path={kind.path}
          toBody={(written) => kind.toBody(id, value ?? {}, written)}
          started={started}
          isOff={!isValid}
        />
      )}
    </Detail>
  );
}
