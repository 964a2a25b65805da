import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { goTo } from '../address';
import { useRowKeys } from './keys';

export interface Column<T> {
  readonly title: string;
  readonly cell: (row: T) => ComponentChildren;
  /** Numbers are at the right. */
  readonly isNumber?: boolean;
  /** Hidden on narrow screens. */
  readonly isMinor?: boolean;
}

export interface TableProps<T> {
  readonly label: string;
  readonly rows: readonly T[];
  readonly keyOf: (row: T) => string;
  /** Where a row leads to. The link is in the first column. Absent: rows lead nowhere. */
  readonly hrefOf?: (row: T) => string;
  readonly columns: readonly Column<T>[];
  readonly selected?: string | undefined;
  /** What is shown below the row that is selected; absent: nothing. */
  readonly detailOf?: (row: T) => ComponentChildren;
}

/** A list whose rows open something. `j` and `k` move between the rows, and Enter opens one. */
export function Table<T>({ label, rows, keyOf, hrefOf, columns, selected, detailOf }: TableProps<T>) {
  const body = useRef<HTMLTableSectionElement>(null);
  useRowKeys(body);
  const classOf = ({ isNumber, isMinor }: Column<T>): string =>
    `${isNumber === true ? 'number' : ''} ${isMinor === true ? 'minor' : ''}`.trim();
  return (
    <table aria-label={label} class={hrefOf === undefined ? 'plain' : undefined}>
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column.title} scope="col" class={classOf(column)}>
              {column.title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody ref={body}>
        {rows.map((row) => {
          const isSelected = keyOf(row) === selected;
          return [
            <tr
              key={keyOf(row)}
              class={isSelected ? 'selected' : undefined}
              onClick={(event) => {
                if (hrefOf === undefined) return;
                // Links and buttons in the row act themselves, and a text that is being selected is no click.
                if ((event.target as Element).closest('a, button') !== null) return;
                if (getSelection()?.isCollapsed !== false) goTo(hrefOf(row));
              }}
            >
              {columns.map((column, at) => (
                <td key={column.title} class={classOf(column)}>
                  {at === 0 && hrefOf !== undefined ? (
                    <a
                      class="row"
                      href={hrefOf(row)}
                      data-opens={keyOf(row)}
                      aria-current={isSelected ? 'true' : undefined}
                      aria-expanded={detailOf && isSelected}
                    >
                      {column.cell(row)}
                    </a>
                  ) : (
                    column.cell(row)
                  )}
                </td>
              ))}
            </tr>,
            isSelected && detailOf !== undefined && (
              <tr key={`${keyOf(row)} detail`} class="detail">
                <td colSpan={columns.length}>{detailOf(row)}</td>
              </tr>
            ),
          ];
        })}
      </tbody>
    </table>
  );
}
