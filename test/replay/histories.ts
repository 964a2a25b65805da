import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

export const HISTORIES = join(__dirname, 'histories');

/** The parts of a history's JSON that the tests look into. */
export interface RecordedEvent {
  readonly eventType: string;
  readonly workflowExecutionStartedEventAttributes?: {
    readonly workflowType: { readonly name: string };
    readonly workflowId?: string;
    /** Each item is JSON in base64. */
    readonly input: { readonly payloads: { data: string }[] };
  };
  readonly activityTaskScheduledEventAttributes?: { readonly activityType: { name: string } };
}

export interface RecordedHistory {
  readonly events: RecordedEvent[];
}

/** Every recorded history, by name. */
export function readHistories(): Map<string, RecordedHistory> {
  const files = readdirSync(HISTORIES).filter((file) => file.endsWith('.json'));
  return new Map(
    files.map((file) => {
      const history = JSON.parse(readFileSync(join(HISTORIES, file), 'utf8')) as RecordedHistory;
      return [basename(file, '.json'), history];
    }),
  );
}

export function workflowTypeOf({ events }: RecordedHistory): string {
  return events[0]?.workflowExecutionStartedEventAttributes?.workflowType.name ?? '';
}

/** The id of the recorded run, which the ids of its children contain. */
export function workflowIdOf({ events }: RecordedHistory): string | undefined {
  return events[0]?.workflowExecutionStartedEventAttributes?.workflowId;
}
