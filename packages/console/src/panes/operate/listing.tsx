import { type ComponentChildren, type ComponentType, isValidElement } from 'preact';
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

/** A part of what there is to operate. */
export interface Section {
  /** Its name in the address. */
  readonly id: string;
  readonly title: string;
  readonly about: string;
  readonly Section: ComponentType;
  /** Whether the service has it and the key may see it; absent: always. */
  readonly isShown?: () => boolean;
}

/** A section that is a list of things, of which one is open. */
interface Listing<T> extends Omit<Section, 'Section'> {
  readonly list: (signal: AbortSignal) => Promise<readonly T[]>;
  readonly keyOf: (row: T) => string;
  readonly nameOf?: (row: T) => string;
  readonly statusOf?: (row: T) => string;
  readonly noteOf: (row: T) => ComponentChildren;
  readonly actionsOf: (row: T) => readonly Action[];
  /** What an open one shows above itself as a tree. */
  readonly detailOf?: (row: T, again: () => void) => ComponentChildren;
  /** Makes one of a body of the API. An element that comes of it is shown this once. */
  readonly create?: { readonly first: object; readonly send: (body: never) => Promise<unknown> };
  readonly empty: string;
}

/** In the place of a key. */
const NEW = '~new';

export function toSection<T>(listing: Listing<T>): Section {
  return { ...listing, Section: () => <List {...listing} /> };
}

function List<T>(listing: Listing<T>) {
  const { id, list, keyOf, nameOf = keyOf, statusOf, noteOf, actionsOf, detailOf, create, empty } = listing;
  const { data, problem, again } = useAsked(id, list, { everyMs: LIVE_MS });
  const rows = useRef<HTMLUListElement>(null);
  const [made, show] = useState<unknown>();
  const { item } = place.value.params;
  useRowKeys(rows, 'button.entry');
  const toggle = (key: string) => (): void => go({ item: item === key ? undefined : key });
  return (
    <>
      <Problem problem={problem} />
      {create !== undefined && (
        <div class="answer">
          <div class="actions">
            <button type="button" aria-expanded={item === NEW} onClick={toggle(NEW)}>
              New …
            </button>
          </div>
          {item === NEW && <Create {...create} onDone={(result) => (show(result), again(), toggle(NEW)())} />}
          {isValidElement(made) && made}
        </div>
      )}
      {data?.length === 0 && <Empty text={empty} />}
      <ul class="entries" ref={rows}>
        {data?.map((row) => {
          const isOpen = keyOf(row) === item;
          return (
            <li key={keyOf(row)}>
              <button type="button" class="entry" aria-expanded={isOpen} onClick={toggle(keyOf(row))}>
                <span aria-hidden="true">{isOpen ? '▾' : '▸'}</span> <b>{nameOf(row)}</b>{' '}
                {statusOf && <StatusSign status={statusOf(row)} />} <span class="quiet">{noteOf(row)}</span>
              </button>
              {isOpen && (
                <div class="panel answer">
                  <Actions actions={actionsOf(row)} onDone={again} />
                  {detailOf?.(row, again)}
                  <JsonTree value={row} open={1} />
                </div>
              )}
            </li>
          );
        })}
      </ul>
    </>
  );
}

type CreateProps = NonNullable<Listing<never>['create']> & { onDone: (made: unknown) => void };

function Create({ first, send, onDone }: CreateProps) {
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
