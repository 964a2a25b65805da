const TICK_MS = 15_000;

/** Progress goes to stderr, so that what a script answers on stdout stays clean. */
export function say(text) {
  process.stderr.write(`setup: ${text}\n`);
}

/** "8 s", "3 min 20 s" */
export function duration(ms) {
  const seconds = Math.round(ms / 1000);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/**
 * Announces a long step, then says every 15 s how far it is, and at the end how long it took.
 * `detail` returns what can be told about the progress at that moment, or an empty string.
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
