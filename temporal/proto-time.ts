/** Epoch milliseconds of a time in the server's form; 0 where there is none. Pure. */
export function toMs(time: { seconds?: unknown; nanos?: number | null } | null | undefined): number {
  return Number(time?.seconds ?? 0) * 1_000 + (time?.nanos ?? 0) / 1_000_000;
}
