import { go, hrefOf, place } from '../../address';
import { Split } from '../../parts/split';
import { Table } from '../../parts/table';
import { moreScopes, needsKey, noteScope } from '../../session';
import { health } from './health';
import { hooks, keys, schedules, webhooks } from './listings';
import { mcpServers } from './mcp-servers';
import { usage } from './usage';

const SECTIONS = [health, usage, schedules, mcpServers, webhooks, hooks, keys];

/** The health of the service, what it has used, and what it is set up with. */
export function Operate() {
  const shown = SECTIONS.filter(({ isShown }) => isShown?.() !== false);
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
          {needsKey && <MoreScopes />}
        </>
      }
      detailKey={open?.id}
      detailLabel={open?.title ?? 'Section'}
      detail={
        open && (
          <article class="run" key={open.id}>
            <div class="head">
              <h2>{open.title}</h2>
            </div>
            <open.Section />
          </article>
        )
      }
      onClose={() => go({ section: undefined, item: undefined })}
    />
  );
}

function MoreScopes() {
  return (
    <fieldset class="scopes">
      <legend>What the service does not say of a key: mine may also</legend>
      {['tools', 'admin'].map((scope) => (
        <label key={scope}>
          <input
            type="checkbox"
            checked={moreScopes.value.has(scope)}
            onChange={({ currentTarget }) => noteScope(scope, currentTarget.checked)}
          />{' '}
          {scope}
        </label>
      ))}
    </fieldset>
  );
}
