import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '@temporalio/client';
import { temporal } from '@temporalio/proto';

const { EventType } = temporal.api.enums.v1;

/** Every text in a run's history, with payloads decoded. */
export async function historyTexts(client: Client, workflowId: string): Promise<string> {
  return textsIn(await client.workflow.getHandle(workflowId).fetchHistory()).join('\n');
}

/** The activities that a run scheduled, in order: type and summary. */
export async function scheduledActivities(client: Client, workflowId: string): Promise<[string, string][]> {
  const { events } = await client.workflow.getHandle(workflowId).fetchHistory();
  return (events ?? [])
    .filter(({ eventType }) => eventType === EventType.EVENT_TYPE_ACTIVITY_TASK_SCHEDULED)
    .map(({ activityTaskScheduledEventAttributes: scheduled, userMetadata }) => [
      scheduled?.activityType?.name ?? '',
      String(jsonOf(userMetadata?.summary?.data)),
    ]);
}

/** Every step of a run, local ones included, in the order in which the history has them: type and summary. */
export async function stepsOf(client: Client, workflowId: string): Promise<[string, string][]> {
  const { events } = await client.workflow.getHandle(workflowId).fetchHistory();
  return (events ?? []).flatMap((event): [string, string][] => {
    const { activityTaskScheduledEventAttributes: scheduled, markerRecordedEventAttributes: marker } = event;
    const local = marker?.details?.['data']?.payloads?.[0]?.data;
    const type = scheduled?.activityType?.name ?? (local && (jsonOf(local) as LocalStep).activity_type);
    if (typeof type !== 'string') return [];
    const summary = event.userMetadata?.summary?.data;
    return [[type, summary ? String(jsonOf(summary)) : '']];
  });
}

interface LocalStep {
  readonly activity_type?: string;
}

/** The outcomes of a run's activities, in order. */
export async function activityResults(client: Client, workflowId: string): Promise<unknown[]> {
  const { events } = await client.workflow.getHandle(workflowId).fetchHistory();
  return (events ?? []).flatMap(({ activityTaskCompletedEventAttributes: completed }) =>
    completed ? [jsonOf(completed.result?.payloads?.[0]?.data)] : [],
  );
}

/** Files in a folder, at any depth, whose bytes contain the text. */
export function filesWith(text: string, folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((path) => readFileSync(path).includes(text));
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (value instanceof Uint8Array) return [Buffer.from(value).toString()];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

function jsonOf(data: Uint8Array | null | undefined): unknown {
  return JSON.parse(Buffer.from(data ?? []).toString());
}
