import { defineQuery, setCurrentDetails, setHandler } from '@temporalio/workflow';

/** One step of a run as its progress shows it. */
export interface ProgressStep {
  /** Its number or id. */
  readonly step: string;
  /** What it does, on one line. */
  readonly what: string;
  readonly state: 'waiting' | 'running' | 'completed' | 'failed' | 'skipped' | 'cancelled';
}

/** Asked of a run that goes on or has ended: its plan, and how far it is. */
export const progressQuery = defineQuery<readonly ProgressStep[]>('progress');

export interface Progress {
  /** Adds a step, or changes what is known of it. */
  note(step: ProgressStep): void;
}

/** Shows a run's plan and progress: to the query `progress`, and in the run's details in the Temporal UI. */
export function showProgress(planned: readonly ProgressStep[] = []): Progress {
  const steps = new Map(planned.map((step) => [step.step, step]));
  const show = (): void => setCurrentDetails(toMarkdown([...steps.values()]));
  setHandler(progressQuery, () => [...steps.values()]);
  show();
  return {
    note(step) {
      steps.set(step.step, step);
      show();
    },
  };
}

const MARKS: Readonly<Record<ProgressStep['state'], string>> = {
  waiting: '◦',
  running: '▸',
  completed: '✓',
  failed: '✗',
  skipped: '–',
  cancelled: '–',
};

function toMarkdown(steps: readonly ProgressStep[]): string {
  // Text of callers stands in code marks, so that none of it is taken for markup.
  const code = (text: string): string => `\`${text.replaceAll('`', "'").replaceAll(/\s+/g, ' ')}\``;
  return steps
    .map(({ step, what, state }) => `- ${MARKS[state]} ${code(step)} ${code(what)} ${state}`)
    .join('\n');
}
