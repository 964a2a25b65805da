const TICK_MS = 15_000;

/** Prints progress to stderr, because stdout is for the result of a script. */
export function say(text) {
  process.stderr.write(`setup: ${text}\n`);
}

/** Formats a time as in "8 s" and "3 min 20 s". */
export function duration(ms) {
  const seconds = Math.round(ms / 1000);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/**
 * Runs a long step. It prints the step's title at the start, its progress every 15 s, and its time at the end.
 * `detail` returns a description of the present progress, or an empty string.
 */
export async function withProgress(title, action, detail = () => '') {
  const startedAt = Date.now();
  say(`${title} ...`);
  const timer = setInterval(() => {
    const more = detail();
    say(`${title}: ${duration(Date.now() - startedAt)}${more ? `, ${more}` : ''}`);
  }, TICK_MS);
  try {
    const result = await action();
    say(`${title}: done in ${duration(Date.now() - startedAt)}`);
    return result;
  } finally {
    clearInterval(timer);
  }
}
