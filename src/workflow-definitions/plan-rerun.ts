import { findReferencesIn } from '../templates/resolve';

/** What a rerun of a workflow does otherwise than the first run. */
export interface RerunChanges {
  /** The step from which on steps run again; absent: all of them do. */
  readonly fromStep?: string | undefined;
  /** The names of the inputs that have other values. */
  readonly inputs: ReadonlySet<string>;
  /** The ids of the steps whose configuration is another one. */
  readonly configured: ReadonlySet<string>;
  /** The ids of the steps whose result the caller gives. They do not run. */
  readonly replaced: ReadonlySet<string>;
}

/** A step of a workflow, or one of several calls. */
interface WaitingStep {
  readonly step: {
    readonly id: string;
    readonly config?: unknown;
    readonly forEach?: { readonly items: unknown } | undefined;
    readonly when?: string | undefined;
  };
  readonly waitsFor: readonly string[];
}

/**
 * Chooses the steps whose outcomes are taken from the first run: those before `fromStep` that were completed there, and that
 * depend on nothing that runs again or is another value. Pure.
 * @param steps each waits for earlier ones alone
 * @param completed the ids of the steps that the first run completed
 * @returns their ids, in order
 */
export function chooseReused(
  steps: readonly WaitingStep[],
  completed: ReadonlySet<string>,
  { fromStep, inputs, configured, replaced }: RerunChanges,
): string[] {
  const end = fromStep === undefined ? 0 : steps.findIndex(({ step }) => step.id === fromStep);
  const ids = new Set(steps.map(({ step }) => step.id));
  const reused = new Set<string>();
  for (const { step, waitsFor } of steps.slice(0, Math.max(0, end))) {
    const { id, config, forEach, when } = step;
    if (!completed.has(id) || configured.has(id) || replaced.has(id)) continue;
    if (!waitsFor.every((other) => reused.has(other))) continue;
    const isChanged = findReferencesIn([config, forEach?.items, when]).some(({ root, path: [name] }) =>
      root === 'input' && !ids.has(root)
        ? name === undefined || inputs.has(String(name))
        : !ids.has(root) && inputs.has(root),
    );
    if (!isChanged) reused.add(id);
  }
  return [...reused];
}
