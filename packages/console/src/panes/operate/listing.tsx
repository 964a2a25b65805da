import { type ComponentChildren, type ComponentType, isValidElement } from 'preact';
import { useState } from 'preact/hooks';
import { goTo, hrefWith, place, useGo } from '../../address';
import { LIVE_MS } from '../../api/ask';
import { type Action, Actions } from '../../parts/actions';
import { AskedTable } from '../../parts/asked-table';
import { JsonField, parseJson } from '../../parts/json-field';
import { JsonTree } from '../../parts/json-tree';
import type { RowsQuestion } from '../../parts/rows';
import { StatusSign } from '../../parts/status-sign';

/** A part of what there is to operate. */
export interface Section {
  /** Its name in the address. */
  readonly id: string;
  readonly title: string;
  readonly about: string;
  readonly Section: ComponentType;
  /** Whether the key may see it. */
  readonly isShown: () => boolean;
}

/** A section that is a list of things, of which one is open. */
interface Listing<T> extends Omit<Section, 'Section'> {
  readonly list: RowsQuestion<T>['read'];
  readonly keyOf: (row: T) => string;
  readonly nameOf?: (row: T) => string;
  readonly statusOf?: (row: T) => string;
  readonly noteOf: (row: T) => ComponentChildren;
  /** Whether the key may do what changes them; default: as `isShown`. */
  readonly mayChange?: () => boolean;
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
  const { keyOf, nameOf = keyOf, statusOf, create, mayChange = listing.isShown } = listing;
  const [version, setVersion] = useState(0);
  const [made, show] = useState<unknown>();
  const { item } = place.value.params;
  const again = (): void => setVersion((before) => before + 1);
  const hrefOfOne = (key: string): string => hrefWith({ item: item === key ? undefined : key });
  return (
    <>
      {create !== undefined && mayChange() && (
        <div class="answer">
          <div class="actions">
            <button type="button" aria-expanded={item === NEW} onClick={() => goTo(hrefOfOne(NEW))}>
              New …
            </button>
          </div>
          {item === NEW && <Create {...create} onDone={(result) => (show(result), again())} />}
          {isValidElement(made) && made}
        </div>
      )}
      <AskedTable
        question={listing.id}
        read={listing.list}
        everyMs={LIVE_MS}
        version={version}
        empty={{ text: listing.empty }}
        label={listing.title}
        keyOf={keyOf}
        hrefOf={(row) => hrefOfOne(keyOf(row))}
        selected={item}
        columns={[
          { title: 'Name', cell: (row) => <b>{nameOf(row)}</b> },
          ...(statusOf ? [{ title: 'State', cell: (row: T) => <StatusSign status={statusOf(row)} /> }] : []),
          { title: 'About', cell: listing.noteOf },
        ]}
        detailOf={(row) => (
          <div class="panel answer">
            {mayChange() && <Actions actions={listing.actionsOf(row)} onDone={again} />}
            {listing.detailOf?.(row, again)}
            <JsonTree value={row} open={1} />
          </div>
        )}
      />
    </>
  );
}

type CreateProps = NonNullable<Listing<never>['create']> & { onDone: (made: unknown) => void };

function Create({ first, send, onDone }: CreateProps) {
  const [text, setText] = useState(JSON.stringify(first, undefined, 2));
  const { value, problem } = parseJson(text);
  const goLater = useGo();
  const act = async (): Promise<void> => {
    onDone(await send(value as never));
    goLater({ item: undefined });
  };
  return (
    <>
      <JsonField label="Body of the request" text={text} onText={setText} />
      <Actions actions={[{ name: 'Create', isOff: problem !== undefined, act }]} />
    </>
  );
}
