import { defineQuery, setCurrentDetails, setHandler } from '@temporalio/workflow';

/** One step in the progress of a run. */
export interface ProgressStep {
  /** Its number or id. */
  readonly step: string;
  /** What it does, on one line. */
  readonly what: string;
  readonly state: 'waiting' | 'running' | 'completed' | 'failed' | 'skipped' | 'cancelled';
}

/** Returns the plan and progress of a run that is running or has ended. */
const progressQuery = defineQuery<readonly ProgressStep[]>('progress');

export interface Progress {
  /** Adds a step, or replaces its entry. */
  note(step: ProgressStep): void;
}

/** Publishes a run's plan and progress: by the query `progress`, and in the run's details in the Temporal UI. */
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
  // Text from callers is put into code spans, so that the UI does not render it as markup.
  const code = (text: string): string => `\`${text.replaceAll('`', "'").replaceAll(/\s+/g, ' ')}\``;
  return steps
    .map(({ step, what, state }) => `- ${MARKS[state]} ${code(step)} ${code(what)} ${state}`)
    .join('\n');
}
