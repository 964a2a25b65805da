import { go, hrefWith, place } from '../../address';
import { useTools } from '../../api/tools';
import { Empty } from '../../parts/empty';
import { FilterForm } from '../../parts/filter-fields';
import { Problem } from '../../parts/problem';
import { Split } from '../../parts/split';
import { Table } from '../../parts/table';
import { ToolForm } from './tool-form';

/** Any tool of the service, by a form made from its schema. */
export function Try() {
  const { tool: chosen, q = '' } = place.value.params;
  const { data: tools, problem } = useTools();
  const wanted = q.toLowerCase();
  const shown = (tools ?? []).filter(({ name, description }) =>
    `${name} ${description}`.toLowerCase().includes(wanted),
  );
  const tool = tools?.find(({ name }) => name === chosen);
  return (
    <Split
      label="Tools"
      list={
        <>
          <FilterForm label="Filter tools">
            <input
              type="search"
              aria-label="filter"
              placeholder="filter"
              data-filter=""
              value={q}
              onInput={({ currentTarget }) => go({ q: currentTarget.value }, { replace: true })}
            />
          </FilterForm>
          <Problem problem={problem} />
          {tools !== undefined && shown.length === 0 && <Empty text="No tool matches." />}
          {shown.length > 0 && (
            <Table
              label="Tools"
              rows={shown}
              keyOf={({ name }) => name}
              hrefOf={({ name }) => hrefWith({ tool: name })}
              selected={chosen}
              columns={[
                { title: 'Tool', cell: ({ name }) => <b>{name}</b> },
                { title: 'What it does', cell: ({ description }) => description, isMinor: true },
              ]}
            />
          )}
        </>
      }
      detailKey={chosen}
      detailLabel="Tool"
      detail={tool !== undefined && <ToolForm key={tool.name} tool={tool} />}
      onClose={() => go({ tool: undefined })}
    />
  );
}
