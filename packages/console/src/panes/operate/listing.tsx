import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { go, place } from '../../address';
import { LIVE_MS, useAsked } from '../../api/ask';
import { type Action, Actions } from '../../parts/actions';
import { Empty } from '../../parts/empty';
import { JsonField, parseJson } from '../../parts/json-field';
import { JsonTree } from '../../parts/json-tree';
import { useRowKeys } from '../../parts/keys';
import { Problem } from '../../parts/problem';
import { StatusSign } from '../../parts/status-sign';
import type { Section } from './section';

/** A section that is a list of things, of which one is open. */
export interface Listing<T> extends Omit<Section, 'Section'> {
  readonly list: (signal: AbortSignal) => Promise<readonly T[]>;
  readonly keyOf: (row: T) => string;
  readonly nameOf?: (row: T) => string;
  readonly statusOf?: (row: T) => string;
  readonly noteOf: (row: T) => ComponentChildren;
  readonly actionsOf: (row: T) => readonly Action[];
  /** What an open one shows above itself as a tree. */
  readonly detailOf?: (row: T, again: () => void) => ComponentChildren;
  /** Makes one of a body of the API, and returns what is to be shown this once. */
  readonly create?: { readonly first: object; readonly send: (body: never) => Promise<ComponentChildren> };
  readonly empty: string;
}

/** In the place of a key. */
const NEW = '~new';

export function toSection<T>(listing: Listing<T>): Section {
  return { ...listing, Section: () => <List {...listing} /> };
}

function List<T>({ id, list, keyOf, empty, create, ...rest }: Listing<T>) {
  const { data, problem, again } = useAsked(id, list, { everyMs: LIVE_MS });
  const rows = useRef<HTMLUListElement>(null);
  const [shown, show] = useState<ComponentChildren>();
  const { item } = place.value.params;
  useRowKeys(rows, 'button.entry');
  const toggle = (key: string): void => go({ item: item === key ? undefined : key });
  return (
    <>
      <Problem problem={problem} />
      {create !== undefined && (
        <div class="answer">
          <div class="actions">
            <button type="button" aria-expanded={item === NEW} onClick={() => toggle(NEW)}>
              New …
            </button>
          </div>
          {item === NEW && <Create {...create} onDone={(made) => (show(made), again(), toggle(NEW))} />}
          {shown}
        </div>
      )}
      {data?.length === 0 && <Empty text={empty} />}
      <ul class="entries" ref={rows}>
        {data?.map((row) => (
          <Entry
            key={keyOf(row)}
            row={row}
            isOpen={keyOf(row) === item}
            toggle={() => toggle(keyOf(row))}
            again={again}
            name={keyOf(row)}
            {...rest}
          />
        ))}
      </ul>
    </>
  );
}

type EntryProps<T> = Pick<Listing<T>, 'nameOf' | 'statusOf' | 'noteOf' | 'actionsOf' | 'detailOf'> & {
  readonly row: T;
  readonly name: string;
  readonly isOpen: boolean;
  readonly toggle: () => void;
  readonly again: () => void;
};

function Entry<T>({
  row,
  name,
  isOpen,
  toggle,
  again,
  nameOf,
  statusOf,
  noteOf,
  actionsOf,
  detailOf,
}: EntryProps<T>) {
  const status = statusOf?.(row);
  const actions = actionsOf(row).map((action) => ({ ...action, act: () => action.act().then(again) }));
  return (
    <li>
      <button type="button" class="entry" aria-expanded={isOpen} onClick={toggle}>
        <span aria-hidden="true">{isOpen ? '▾' : '▸'}</span> <b>{nameOf?.(row) ?? name}</b>{' '}
        {status !== undefined && <StatusSign status={status} />} <span class="quiet">{noteOf(row)}</span>
      </button>
      {isOpen && (
        <div class="panel answer">
          <Actions actions={actions} />
          {detailOf?.(row, again)}
          <JsonTree value={row} open={1} />
        </div>
      )}
    </li>
  );
}

function Create({
  first,
  send,
  onDone,
}: NonNullable<Listing<never>['create']> & { onDone: (made: ComponentChildren) => void }) {
  const [text, setText] = useState(JSON.stringify(first, undefined, 2));
  const { value, problem } = parseJson(text);
  const act = async (): Promise<void> => onDone(await send(value as never));
  return (
    <>
      <JsonField label="Body of the request" text={text} onText={setText} />
      <Actions actions={[{ name: 'Create', isOff: problem !== undefined, act }]} />
    </>
  );
}
