import { google } from '@temporalio/proto';

/** Converts a time or duration of the server to milliseconds; 0 if it is absent. Pure. */
export function toMs(time: { seconds?: unknown; nanos?: number | null } | null | undefined): number {
  return Number(time?.seconds ?? 0) * 1_000 + (time?.nanos ?? 0) / 1_000_000;
}

/** Makes a duration for the server of whole seconds. Pure. */
export function toDuration(seconds: number): google.protobuf.IDuration {
  return google.protobuf.Duration.fromObject({ seconds });
}

/** Makes a time for the server. Pure. */
export function toTimestamp(time: Date): google.protobuf.ITimestamp {
  const ms = time.getTime();
  const seconds = Math.floor(ms / 1_000);
  return google.protobuf.Timestamp.fromObject({ seconds, nanos: (ms - seconds * 1_000) * 1_000_000 });
}
