export interface GraphNode {
  readonly id: string;
  readonly type: string;
  readonly row: number;
  readonly column: number;
  /** The nodes that it waits for, without those that they wait for themselves. */
  readonly after: readonly GraphNode[];
}

interface Step {
  readonly id?: unknown;
  readonly type?: unknown;
  readonly dependsOn?: unknown;
}

/**
 * Lays out the steps of a workflow: each in a row below those that it waits for, by `dependsOn`, by its templates, or because it is
 * listed after another. What is no step yet is left out. Pure.
 */
export function layOutGraph(steps: unknown): readonly GraphNode[] {
  const nodes = new Map<string, GraphNode>();
  const ancestors = new Map<string, ReadonlySet<string>>();
  const widths: number[] = [];
  let previous: string | undefined;
  for (const step of (Array.isArray(steps) ? steps : []) as readonly (Step | null)[]) {
    const { id, type, dependsOn } = step ?? {};
    if (typeof id !== 'string' || nodes.has(id)) continue;
    const named = Array.isArray(dependsOn) ? (dependsOn as unknown[]) : [previous];
    const templates = [...JSON.stringify(step).matchAll(/\{\{(.*?)\}\}/g)]
      .map(([, inner]) => ` ${inner}`)
      .join();
    const direct = [...nodes.keys()].filter(
      (each) =>
        named.includes(each) || new RegExp(`[^\\w.-]${each.replace(/\W/g, '\\$&')}[.]`).test(templates),
    );
    const further = new Set(direct.flatMap((each) => [...(ancestors.get(each) ?? [])]));
    const after = direct.filter((each) => !further.has(each)).flatMap((each) => nodes.get(each) ?? []);
    const row = Math.max(-1, ...after.map((each) => each.row)) + 1;
    const column = widths[row] ?? 0;
    widths[row] = column + 1;
    nodes.set(id, { id, type: typeof type === 'string' ? type : '', row, column, after });
    ancestors.set(id, new Set([...direct, ...further]));
    previous = id;
  }
  return [...nodes.values()];
}
