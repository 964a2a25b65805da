import { Empty, type EmptyProps } from './empty';
import { Problem } from './problem';
import { type RowsQuestion, useRows } from './rows';
import { Table, type TableProps } from './table';

interface AskedTableProps<T> extends Omit<TableProps<T>, 'rows'>, RowsQuestion<T> {
  /** Which of the rows are shown; absent: all. */
  readonly filter?: (row: T) => boolean;
  readonly empty: EmptyProps;
}

/** A list that is asked for: page after page, and again while it is seen if it is live. */
export function AskedTable<T>({ filter = () => true, empty, ...table }: AskedTableProps<T>) {
  const { rows, changed, take, more, problem } = useRows(table);
  const shown = rows?.filter(filter);
  return (
    <>
      <Problem problem={problem} />
      <p class="fresh" role="status">
        {changed > 0 && (
          <button type="button" onClick={take}>
            {changed === 1 ? '1 change' : `${changed} changes`}
          </button>
        )}
      </p>
      {shown?.length === 0 && changed === 0 && <Empty {...empty} />}
      {shown !== undefined && shown.length > 0 && <Table rows={shown} {...table} />}
      {more !== undefined && (
        <p class="more">
          <button type="button" onClick={more}>
            More
          </button>
        </p>
      )}
    </>
  );
}
