import { hrefWith } from '../address';
import type { Changes } from '../hash';
import { useAsked } from '../api/ask';
import { Empty, type EmptyProps } from './empty';
import { Problem } from './problem';
import { Table, type TableProps } from './table';

interface AskedTableProps<T> extends Omit<TableProps<T>, 'rows'> {
  readonly question: string;
  /** Reads a page. `next` is what the address has for the next one. */
  readonly read: (
    signal: AbortSignal,
  ) => Promise<{ readonly rows: readonly T[]; readonly next?: Changes | undefined }>;
  /** Asks again when it changes. */
  readonly version: number;
  readonly empty: EmptyProps;
}

/** A page of rows that are asked for. */
export function AskedTable<T>({ question, read, version, empty, ...table }: AskedTableProps<T>) {
  const { data, problem } = useAsked(question, read, { version });
  return (
    <>
      <Problem problem={problem} />
      {data?.rows.length === 0 && <Empty {...empty} />}
      {data !== undefined && data.rows.length > 0 && <Table rows={data.rows} {...table} />}
      {data?.next !== undefined && (
        <p class="more">
          <a class="button" href={hrefWith(data.next)}>
            Next page
          </a>
        </p>
      )}
    </>
  );
}
