export interface Figure {
  /** The name as in the text, also that of a bucket, a sum or a count of a histogram. */
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

const LINE = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/;
const LABEL = /([a-zA-Z_]\w*)="((?:[^"\\]|\\.)*)"/g;

/** Reads the text format of Prometheus. Throws for a line that is not in this format. */
export function parseFigures(text: string): Figure[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('#'));
  return lines.map((line) => {
    const [, name, labels = '', value] = LINE.exec(line) ?? [];
    if (name === undefined) throw new Error(`no figure: ${line}`);
    const pairs = [...labels.matchAll(LABEL)].map(([, key = '', text = '']) => [key, text]);
    return { name, labels: Object.fromEntries(pairs) as Record<string, string>, value: Number(value) };
  });
}

/** Reads the metrics of the process at this address, host:port. */
export async function readFigures(address: string): Promise<Figure[]> {
  const response = await fetch(`http://${address}/metrics`);
  if (response.status !== 200) throw new Error(`the figures are answered with ${response.status}`);
  return parseFigures(await response.text());
}

/** The sum of the metrics with this name and these labels; undefined if no metric has them. */
export function sumOf(
  figures: readonly Figure[],
  name: string,
  labels: Readonly<Record<string, string>> = {},
): number | undefined {
  const found = figures.filter(
    (figure) =>
      figure.name === name &&
      Object.entries(labels).every(([label, value]) => figure.labels[label] === value),
  );
  return found.length === 0 ? undefined : found.reduce((sum, { value }) => sum + value, 0);
}
