import type { ComponentChildren } from 'preact';
import { go, hrefOf, hrefWith, place } from '../../address';
import { useAsked } from '../../api/ask';
import { client, dataOf } from '../../api/client';
import { Empty } from '../../parts/empty';
import { FilterForm, Search } from '../../parts/filter-fields';
import { Problem } from '../../parts/problem';
import { Split } from '../../parts/split';
import { Table } from '../../parts/table';
import { DefinitionEditor } from './definition-editor';
import { AGENT, WORKFLOW } from './definitions';
import { ToolForm } from './tool-form';

interface Kind {
  /** The parameter of the address that names the one that is open. */
  readonly param: string;
  readonly title: string;
  readonly list: (signal: AbortSignal) => Promise<readonly { readonly id: string; readonly about: string }[]>;
  readonly detail: (id: string, onChange: () => void) => ComponentChildren;
  readonly canAdd?: boolean;
}

/** In the place of an id, in which it cannot be. */
const NEW = '~new';
const asId = (id: string): string | undefined => (id === NEW ? undefined : id);

const KINDS: readonly Kind[] = [
  {
    param: 'tool',
    title: 'Tools',
    list: async (signal) =>
      (await dataOf(client.value.GET('/api/tools', { signal }))).map(({ name, description }) => ({
        id: name,
        about: description,
      })),
    detail: (name) => <ToolForm key={name} name={name} />,
  },
  {
    param: 'workflow',
    title: 'Workflows',
    canAdd: true,
    list: async (signal) =>
      (await dataOf(client.value.GET('/api/workflow/workflows', { signal }))).workflows.map(
        ({ id, name }) => ({ id, about: name }),
      ),
    detail: (id, onChange) => <DefinitionEditor key={id} kind={WORKFLOW} id={asId(id)} onStore={onChange} />,
  },
  {
    param: 'agent',
    title: 'Agents',
    canAdd: true,
    list: async (signal) =>
      (await dataOf(client.value.GET('/api/agents', { signal }))).agents.map(({ id, description }) => ({
        id,
        about: description,
      })),
    detail: (id, onChange) => <DefinitionEditor key={id} kind={AGENT} id={asId(id)} onStore={onChange} />,
  },
];

/** Tools, workflows and agents, each to be tried. */
export function Try() {
  const { params } = place.value;
  const open = KINDS.find(({ param }) => params[param] !== undefined);
  const kind = open ?? KINDS.find(({ param }) => param === params['kind']) ?? (KINDS[0] as Kind);
  const chosen = params[kind.param];
  const { data, problem, again } = useAsked(`try ${kind.param}`, (signal) => kind.list(signal));
  const wanted = (params['q'] ?? '').toLowerCase();
  const shown = (data ?? []).filter(({ id, about }) => `${id} ${about}`.toLowerCase().includes(wanted));
  return (
    <Split
      label={kind.title}
      list={
        <>
          <nav class="kinds" aria-label="What to try">
            {KINDS.map(({ param, title }) => (
              <a
                key={param}
                href={hrefOf('try', { kind: param })}
                aria-current={param === kind.param ? 'true' : undefined}
              >
                {title}
              </a>
            ))}
          </nav>
          <FilterForm label={`Filter ${kind.title.toLowerCase()}`}>
            <Search name="q" />
            {kind.canAdd === true && (
              <a class="button" href={hrefWith({ kind: kind.param, [kind.param]: NEW, started: undefined })}>
                New {kind.param}
              </a>
            )}
          </FilterForm>
          <Problem problem={problem} />
          {data !== undefined && shown.length === 0 && (
            <Empty
              text={data.length === 0 ? `There is no ${kind.param} yet.` : `No ${kind.param} matches.`}
            />
          )}
          {shown.length > 0 && (
            <Table
              label={kind.title}
              rows={shown}
              keyOf={({ id }) => id}
              hrefOf={({ id }) => hrefWith({ kind: kind.param, [kind.param]: id, started: undefined })}
              selected={chosen}
              columns={[
                { title: kind.title.slice(0, -1), cell: ({ id }) => <b>{id}</b> },
                { title: 'What it does', cell: ({ about }) => about, isMinor: true },
              ]}
            />
          )}
        </>
      }
      detailKey={chosen}
      detailLabel={kind.title.slice(0, -1)}
      detail={chosen === undefined ? undefined : kind.detail(chosen, again)}
      onClose={() => go({ kind: kind.param, [kind.param]: undefined, started: undefined })}
    />
  );
}
