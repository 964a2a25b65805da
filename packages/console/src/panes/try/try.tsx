import { useState } from 'preact/hooks';
import { hrefOf, hrefWith, place } from '../../address';
import { read } from '../../api/client';
import { AskedTable } from '../../parts/asked-table';
import { FilterForm, Text } from '../../parts/filter-fields';
import { Split } from '../../parts/split';
import { DefinitionEditor } from './definition-editor';
import { AGENT, type DefinitionKind, WORKFLOW } from './definitions';
import { ToolForm } from './run-form';

/** In the place of an id, in which it cannot be. */
const NEW = '~new';
const TOOL: Pick<DefinitionKind, 'name' | 'list'> = {
  name: 'tool',
  list: async (signal) =>
    (await read('/api/tools', {}, signal)).map(({ name, description }) => [name, description]),
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
  const [version, setVersion] = useState(0);
  const wanted = (params['q'] ?? '').toLowerCase();
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
            <Text name="q" placeholder="filter" type="search" isFirst isLive />
            {kind !== TOOL && (
              <a class="button" href={hrefOfOne(NEW)}>
                New {name}
              </a>
            )}
          </FilterForm>
          <AskedTable
            question={`try ${name}`}
            read={async (_, signal) => ({ rows: await kind.list(signal) })}
            version={version}
            filter={(texts) => texts.join(' ').toLowerCase().includes(wanted)}
            empty={{ text: wanted === '' ? `There is no ${name} yet.` : `No ${name} matches.` }}
            label={`${titleOf(kind)}s`}
            keyOf={([id]) => id}
            hrefOf={([id]) => hrefOfOne(id)}
            selected={chosen}
            columns={[
              { title: titleOf(kind), cell: ([id]) => <b>{id}</b> },
              { title: 'What it does', cell: ([, about]) => about, isMinor: true },
            ]}
          />
        </>
      }
      open={chosen}
      detailLabel={titleOf(kind)}
      detail={(id) =>
        kind === TOOL ? (
          <ToolForm name={id} />
        ) : (
          <DefinitionEditor
            key={name}
            kind={kind as DefinitionKind}
            id={id === NEW ? undefined : id}
            onStore={() => setVersion((before) => before + 1)}
          />
        )
      }
      closed={{ kind: name, [name]: undefined, started: undefined }}
    />
  );
}
