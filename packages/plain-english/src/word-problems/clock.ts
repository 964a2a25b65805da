const TIME = /^(\d{1,2})(?::(\d{2}))?(?::\d{2})?\s?([ap])?/;
/** Minutes. */
export const HALF_DAY = 720;

/** Minutes since midnight, and whether the half of the day is said. */
export function minutesOf(time: string): { readonly minutes: number; readonly isExact: boolean } | undefined {
  const [, hours, minutes = '0', half] = TIME.exec(time.replaceAll('.', '')) ?? [];
  if (hours === undefined) return undefined;
  const base = (half === undefined ? Number(hours) : Number(hours) % 12) * 60 + Number(minutes);
  return { minutes: base + (half === 'p' ? HALF_DAY : 0), isExact: half !== undefined || Number(hours) > 12 };
}
