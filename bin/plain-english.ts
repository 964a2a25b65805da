import type { Config } from '../src/settings/config';
import type { Logger } from '../src/base/logger';
import { createRules } from '../src/rules/create-rules';
import type { Rules } from '../src/rules/rules';

/**
 * Loads the rules that read English without a language model; undefined if PLAIN_ENGLISH is off, or if their
 * package is not installed. This file alone imports the package, and only when PLAIN_ENGLISH is on.
 */
export async function loadPlainEnglish(
  config: Pick<Config, 'PLAIN_ENGLISH'>,
  logger: Logger,
): Promise<Rules | undefined> {
  return hasPlainEnglish(config, logger) ? createRules(await import('@holdfast/plain-english')) : undefined;
}

/** Whether `loadPlainEnglish` has rules to load. Logs a warning if they are switched on and not installed. */
export function hasPlainEnglish({ PLAIN_ENGLISH }: Pick<Config, 'PLAIN_ENGLISH'>, logger: Logger): boolean {
  if (PLAIN_ENGLISH === 'off') return false;
  if (isInstalled()) return true;
  logger.warn(
    'packages/plain-english is not installed: the service runs as with PLAIN_ENGLISH=off, and English needs a language model',
  );
  return false;
}

/**
 * Looks for the package without loading it, because an installed package that cannot be loaded has to end the start.
 */
function isInstalled(): boolean {
  try {
    require.resolve('@holdfast/plain-english/package.json');
    return true;
  } catch {
    return false;
  }
}
