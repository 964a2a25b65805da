import { hrefOf, place } from '../../address';
import { Detail } from '../../parts/detail';
import { Split } from '../../parts/split';
import { Table } from '../../parts/table';
import { health } from './health';
import { hooks, keys, schedules, webhooks } from './listings';
import { mcpServers } from './mcp-servers';
import { usage } from './usage';

const SECTIONS = [health, usage, schedules, mcpServers, webhooks, hooks, keys];

export const hasSections = (): boolean => SECTIONS.some(({ isShown }) => isShown());

/** The health of the service, what it has used, and what it is set up with. */
export function Operate() {
  const shown = SECTIONS.filter(({ isShown }) => isShown());
  const open = shown.find(({ id }) => id === place.value.params['section']);
  return (
    <Split
      label="Sections"
      list={
        <>
          <Table
            label="Sections"
            rows={shown}
            keyOf={({ id }) => id}
            hrefOf={({ id }) => hrefOf('operate', { section: id })}
            selected={open?.id}
            columns={[
              { title: 'Section', cell: ({ title }) => <b>{title}</b> },
              { title: 'What it has', cell: ({ about }) => about, isMinor: true },
            ]}
          />
        </>
      }
      open={open?.id}
      detailLabel={open?.title ?? 'Section'}
      detail={() =>
        open && (
          <Detail title={open.title}>
            <open.Section />
          </Detail>
        )
      }
      closed={{ section: undefined, item: undefined }}
    />
  );
}
