import { go, hrefOf, hrefWith, place } from '../../address';
import { useAsked } from '../../api/ask';
import { client, dataOf } from '../../api/client';
import { Empty } from '../../parts/empty';
import { FilterForm, Search } from '../../parts/filter-fields';
import { Problem } from '../../parts/problem';
import { Split } from '../../parts/split';
import { Table } from '../../parts/table';
import { DefinitionEditor } from './definition-editor';
import { AGENT, type DefinitionKind, WORKFLOW } from './definitions';
import { ToolForm } from './tool-form';

/** In the place of an id, in which it cannot be. */
const NEW = '~new';
const TOOL: Pick<DefinitionKind, 'name' | 'list'> = {
  name: 'tool',
  list: async (signal) =>
    (await dataOf(client.value.GET('/api/tools', { signal }))).map(({ name, description }) => [
      name,
      description,
    ]),
};
const KINDS = [TOOL, WORKFLOW, AGENT];

const titleOf = ({ name }: typeof TOOL): string => name.charAt(0).toUpperCase() + name.slice(1);

/** Tools, workflows and agents, each to be tried. */
export function Try() {
  const { params } = place.value;
  const open = KINDS.find(({ name }) => params[name] !== undefined);
  const kind = open ?? KINDS.find(({ name }) => name === params['kind']) ?? TOOL;
  const { name } = kind;
  const chosen = params[name];
  const { data, problem, again } = useAsked(`try ${name}`, (signal) => kind.list(signal));
  const wanted = (params['q'] ?? '').toLowerCase();
  const shown = (data ?? []).filter((texts) => texts.join(' ').toLowerCase().includes(wanted));
  const hrefOfOne = (id: string): string => hrefWith({ kind: name, [name]: id, started: undefined });
  return (
    <Split
      label={`${titleOf(kind)}s`}
      list={
        <>
          <nav class="kinds" aria-label="What to try">
            {KINDS.map((each) => (
              <a
                key={each.name}
                href={hrefOf('try', { kind: each.name })}
                aria-current={each === kind ? 'true' : undefined}
              >
                {titleOf(each)}s
              </a>
            ))}
          </nav>
          <FilterForm label={`Filter ${name}s`}>
            <Search name="q" />
            {kind !== TOOL && (
              <a class="button" href={hrefOfOne(NEW)}>
                New {name}
              </a>
            )}
          </FilterForm>
          <Problem problem={problem} />
          {data !== undefined && shown.length === 0 && (
            <Empty text={data.length === 0 ? `There is no ${name} yet.` : `No ${name} matches.`} />
          )}
          {shown.length > 0 && (
            <Table
              label={`${titleOf(kind)}s`}
              rows={shown}
              keyOf={([id]) => id}
              hrefOf={([id]) => hrefOfOne(id)}
              selected={chosen}
              columns={[
                { title: titleOf(kind), cell: ([id]) => <b>{id}</b> },
                { title: 'What it does', cell: ([, about]) => about, isMinor: true },
              ]}
            />
          )}
        </>
      }
      detailKey={chosen}
      detailLabel={titleOf(kind)}
      detail={
        kind === TOOL ? (
          <ToolForm key={chosen} name={chosen ?? ''} />
        ) : (
          <DefinitionEditor
            key={`${name} ${chosen}`}
            kind={kind as DefinitionKind}
            id={chosen === NEW ? undefined : chosen}
            onStore={again}
          />
        )
      }
      onClose={() => go({ kind: name, [name]: undefined, started: undefined })}
    />
  );
}
