export interface JsonPlaces {
  /** Where the values are, by their paths, as in `steps[0].config.url`. */
  readonly offsets: ReadonlyMap<string, number>;
  /** The path at the end of the text. */
  readonly path: string;
  /** What is written there of a string whose end is missing; undefined: none is open. */
  readonly open: string | undefined;
}

const TOKEN = /"(?:[^"\\\n]|\\.)*"?|[[\]{}:,]|[^\s"[\]{}:,]+/g;
const CLOSED = /^"(?:[^"\\]|\\.)*"$/;

/** Finds the places of the values of a JSON text, also while it is being written. Pure. */
export function readPlaces(text: string): JsonPlaces {
  const offsets = new Map<string, number>();
  const stack: { isList: boolean; path: string; key: string | undefined; index: number }[] = [];
  const here = (): string => {
    const { isList = false, path = '', key, index = 0 } = stack.at(-1) ?? {};
    if (isList) return `${path}[${index}]`;
    return key === undefined ? path : `${path}${path === '' ? '' : '.'}${key}`;
  };
  let open: string | undefined;
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    const top = stack.at(-1);
    const isKey = top?.isList === false && top.key === undefined && token.startsWith('"');
    open = !isKey && token.startsWith('"') && !CLOSED.test(token) ? token.slice(1) : undefined;
    if (token === '}' || token === ']') stack.pop();
    else if (token === ',' && top !== undefined) Object.assign(top, { key: undefined, index: top.index + 1 });
    else if (isKey) top.key = token.replace(/^"|"$/g, '');
    if (isKey || (top?.isList === true && !/[\]},:]/.test(token.charAt(0)))) offsets.set(here(), index);
    if (token === '{' || token === '[')
      stack.push({ isList: token === '[', path: here(), key: undefined, index: 0 });
  }
  return { offsets, path: here(), open };
}

export interface Mark {
  /** From 1. */
  readonly line: number;
  readonly message: string;
}

interface Problem {
  readonly step: string | null;
  readonly field: string;
  readonly message: string;
}

type Named = { readonly id?: unknown } | null;

/** The lines of the problems that the service has found in a workflow. Pure. */
export function markProblems(text: string, problems: readonly Problem[]): Mark[] {
  const { offsets } = readPlaces(text);
  const { steps } = JSON.parse(text) as { readonly steps?: unknown };
  return problems.map(({ step, field, message }) => {
    const at = Array.isArray(steps) ? (steps as readonly Named[]).findIndex((each) => each?.id === step) : -1;
    const holder = at < 0 ? (step ?? '') : `steps[${at}]`;
    let path = `${holder}.${field.replace(/^workflow[.]/, '')}`.replace(/^[.]/, '');
    // A field that is missing is marked at what it is missing in.
    while (path !== '' && !offsets.has(path)) path = path.replace(/(?:^|[.[])[^.[]*$/, '');
    const where = step === null ? field : `${step} · ${field}`;
    return { line: lineAt(text, offsets.get(path) ?? 0), message: `${where}: ${message}` };
  });
}

/** The line of the mistake that a browser has found in a text that is no JSON: it names the line, or the place. Pure. */
export function markMistake(text: string, message: string): Mark {
  const line = /line (\d+)/.exec(message)?.[1];
  const place = /position (\d+)/.exec(message)?.[1] ?? text.length;
  return { line: line === undefined ? lineAt(text, Number(place)) : Number(line), message };
}

const lineAt = (text: string, offset: number): number => text.slice(0, offset).split('\n').length;
