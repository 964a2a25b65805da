import type { LiveStep, Run } from '../../api/step';

/** A bar of a row: milliseconds since the start of the run. */
export interface Bar {
  readonly from: number;
  /** Undefined while it continues. */
  readonly to: number | undefined;
  readonly look: 'done' | 'running' | 'waiting' | 'failed' | 'stopped';
}

export interface Row {
  readonly id: string;
  readonly name: string;
  readonly status: string;
  readonly depth: number;
  readonly bars: readonly Bar[];
  /** Absent for a row that is no step of the record: a group, or a step that has not begun. */
  readonly step?: LiveStep;
  /** The number of steps that a group folds. */
  readonly group?: { readonly done: number; readonly all: number };
  /** What stands at the right of the row, if not a time. */
  readonly note?: string;
}

export interface TimelineInput {
  readonly run: Run;
  readonly steps: readonly LiveStep[];
  /** The ids of groups that are unfolded. */
  readonly unfolded: ReadonlySet<string>;
}

const ITEM = /^(.+)\[\d+\]$/;

/** The `forEach` that a step is an item of, by its id; undefined for another step. Pure. */
export const groupOf = (id: string): string | undefined => ITEM.exec(id)?.[1];

/**
 * Lays out the steps of a run as rows in their order: the items of a `forEach` below one row that folds them, what waits for a
 * person, what is reused from another run, and what has not begun. Pure.
 */
export function layOut({ run, steps, unfolded }: TimelineInput): Row[] {
  const startedAt = Date.parse(run.startedAt);
  const since = (time: string): number => Date.parse(time) - startedAt;
  const waits = waitsOf(run, since);
  const rows: Row[] = (run.reused ?? []).map((id) => ({
    id,
    name: 'from the first run',
    status: 'completed',
    depth: 0,
    bars: [],
    note: 'reused',
  }));
  const groups = new Map<string, LiveStep[]>();
  for (const step of steps) {
    const id = groupOf(step.id) ?? step.id;
    const items = groups.get(id) ?? [];
    items.push(step);
    groups.set(id, items);
  }
  for (const [id, items] of groups) {
    const isGroup = items.some((item) => item.id !== id);
    if (isGroup) rows.push(rowOfGroup(id, items, since));
    if (!isGroup || unfolded.has(id))
      rows.push(...items.map((item) => rowOf(item, isGroup ? 1 : 0, since, waits.get(item.id))));
  }
  const known = new Set([...rows.map(({ id }) => id), ...steps.map(({ id }) => id)]);
  return [...rows, ...laterRows(run, known, waits)];
}

const LOOKS: Readonly<Record<string, Bar['look']>> = {
  completed: 'done',
  failed: 'failed',
  cancelled: 'stopped',
};

function rowOf(
  step: LiveStep,
  depth: number,
  since: (time: string) => number,
  waits: readonly Bar[] = [],
): Row {
  const { id, name, status, scheduledAt, endedAt } = step;
  const bar: Bar = {
    from: since(scheduledAt),
    to: endedAt === undefined ? undefined : since(endedAt),
    look: LOOKS[status] ?? 'running',
  };
  return { id, name, status, depth, bars: [...waits, bar], step };
}

function rowOfGroup(id: string, items: readonly LiveStep[], since: (time: string) => number): Row {
  const bars = items.flatMap((item) => rowOf(item, 1, since).bars);
  const done = items.filter(({ endedAt }) => endedAt !== undefined).length;
  const hasFailed = items.some(({ status }) => status === 'failed');
  const status = done < items.length ? 'running' : hasFailed ? 'failed' : 'completed';
  const bar: Bar = {
    from: Math.min(...bars.map(({ from }) => from)),
    to: status === 'running' ? undefined : Math.max(...bars.map(({ to = 0 }) => to)),
    look: LOOKS[status] ?? 'running',
  };
  const group = { done, all: items.length };
  return { id, name: items[0]?.name ?? '', status, depth: 0, bars: [bar], group };
}

/** When steps waited for a person. */
function waitsOf(run: Run, since: (time: string) => number): ReadonlyMap<string, Bar[]> {
  const waits = new Map<string, Bar[]>();
  for (const { step, requestedAt, answeredAt } of run.approvals ?? []) {
    const bar: Bar = {
      from: since(requestedAt),
      to: answeredAt === undefined ? undefined : since(answeredAt),
      look: 'waiting',
    };
    waits.set(step, [...(waits.get(step) ?? []), bar]);
  }
  return waits;
}

interface DefinedStep {
  readonly id: string;
  readonly type: string;
}

/** The steps of a workflow as its run was asked for them; empty for runs without such steps. */
export function definedSteps({ input }: Pick<Run, 'input'>): readonly DefinedStep[] {
  const workflow = (input as { workflow?: { steps?: unknown } } | undefined)?.workflow;
  return Array.isArray(workflow?.steps) ? (workflow.steps as DefinedStep[]) : [];
}

/** The rows of what has not begun: steps that wait for a person, and those whose turn has not come. */
function laterRows(run: Run, known: ReadonlySet<string>, waits: ReadonlyMap<string, readonly Bar[]>): Row[] {
  const isOpen = run.closedAt === null;
  const later = (id: string, name: string): Row => {
    const bars = waits.get(id) ?? [];
    const isWaiting = bars.some(({ to }) => to === undefined);
    const note = isWaiting ? 'waits for a person' : isOpen ? 'not yet' : 'did not run';
    return { id, name, status: isWaiting ? 'waiting' : 'none', depth: 0, bars, note };
  };
  const defined = definedSteps(run).filter(({ id }) => !known.has(id));
  const ids = new Set(defined.map(({ id }) => id));
  const waiting = [...waits.keys()].filter((id) => !known.has(id) && !ids.has(id) && !ITEM.test(id));
  return [...defined.map(({ id, type }) => later(id, type)), ...waiting.map((id) => later(id, 'approval'))];
}

/** The last moment that the timeline shows, milliseconds since the start of the run; at least 1. Pure. */
export function lengthOf(run: Run, now: number): number {
  const end = run.closedAt === null ? now : Date.parse(run.closedAt);
  return Math.max(1, end - Date.parse(run.startedAt));
}

/** Round steps of a scale, milliseconds. */
const ROUND = [
  1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 1e4, 2e4, 3e4, 6e4, 12e4, 3e5, 6e5, 18e5, 36e5,
];

/** The marks of the scale: at most `max`, at round times. Pure. */
export function marksOf(length: number, max: number): number[] {
  const step = ROUND.find((each) => length / each <= max) ?? 36e5 * Math.ceil(length / 36e5 / max);
  return Array.from({ length: Math.floor(length / step) + 1 }, (_, at) => at * step);
}
