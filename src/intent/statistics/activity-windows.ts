/** Counts are kept for each minute and for each hour since 1970. */
export const MINUTE_MS = 60_000;
const MINUTES_PER_HOUR = 60;

/** Length of each window in minutes, the current minute included. */
export const WINDOWS = { lastHour: 60, lastDay: 1_440, lastWeek: 10_080 } as const;
export type Window = keyof typeof WINDOWS;

/** How long a count may be read: a week, and the hour at its far edge. */
export const ACTIVITY_RETENTION_MS = (WINDOWS.lastWeek + MINUTES_PER_HOUR) * MINUTE_MS;

/** The keys under which a classification at `now` (epoch milliseconds) is counted. */
export function activityKeys(now: number): [minute: string, hour: string] {
  const minute = Math.floor(now / MINUTE_MS);
  return [minuteKey(minute), hourKey(Math.floor(minute / MINUTES_PER_HOUR))];
}

/**
 * The keys whose counts sum up to a window that ends at `now`: whole hours where they fit, and minutes at both edges,
 * so that each minute is counted once. At most 286 keys for a week.
 */
export function windowKeys(window: Window, now: number): string[] {
  const last = Math.floor(now / MINUTE_MS);
  const first = last - WINDOWS[window] + 1;
  const firstHour = Math.ceil(first / MINUTES_PER_HOUR);
  const endHour = Math.floor((last + 1) / MINUTES_PER_HOUR);
  if (firstHour >= endHour) return range(first, last + 1).map(minuteKey);
  return [
    ...range(first, firstHour * MINUTES_PER_HOUR).map(minuteKey),
    ...range(firstHour, endHour).map(hourKey),
    ...range(endHour * MINUTES_PER_HOUR, last + 1).map(minuteKey),
  ];
}

function minuteKey(minute: number): string {
  return `m${minute}`;
}

function hourKey(hour: number): string {
  return `h${hour}`;
}

function range(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index);
}
