export interface Output {
  /** Whether a program reads the output: then it is JSON, one value a line. */
  readonly isJson: boolean;
  /** Prints a value for a program, or the text for a person. */
  print(value: unknown, text: () => string): void;
  /** Prints a part of a text for a person. */
  write(text: string): void;
  /** Tells a person something beside the output. */
  note(text: string): void;
}

type Cell = string | number | null | undefined;

const MAX_CELL_LENGTH = 80;

export function createOutput(
  isJson: boolean,
  { stdout, stderr }: Pick<NodeJS.Process, 'stdout' | 'stderr'>,
): Output {
  return {
    isJson,
    print: (value, text) => stdout.write(`${isJson ? JSON.stringify(value) : plain(text())}\n`),
    write: (text) => isJson || stdout.write(plain(text)),
    note: (text) => stderr.write(`${plain(text)}\n`),
  };
}

/** Leaves out control characters, which steer a terminal, since texts come from tools, models and other callers. */
export function plain(text: string): string {
  return text.replaceAll(/[^\P{Cc}\n\t]/gu, '');
}

/** Lays out rows below the titles of their columns. A long cell is cut. */
export function formatTable(titles: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const cells = [titles, ...rows].map((row) => row.map(formatCell));
  const widths = titles.map((_, column) =>
    Math.max(...cells.map((row) => Array.from(row[column] ?? '').length)),
  );
  return cells
    .map((row) =>
      row
        .map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - Array.from(cell).length))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** Lays out names and their values, without those that are absent. */
export function formatFields(fields: Readonly<Record<string, Cell>>): string {
  const width = Math.max(...Object.keys(fields).map((name) => name.length));
  return Object.entries(fields)
    .filter(([, value]) => value != null)
    .map(([name, value]) => `${name.padEnd(width)}  ${value}`)
    .join('\n');
}

/** A value as a person reads it: text as it is, anything else as JSON. */
export function formatValue(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value, undefined, 2);
}

function formatCell(cell: Cell): string {
  const characters = Array.from(plain(String(cell ?? '')).replaceAll(/\s+/g, ' '));
  if (characters.length <= MAX_CELL_LENGTH) return characters.join('');
  return `${characters.slice(0, MAX_CELL_LENGTH - 1).join('')}…`;
}
