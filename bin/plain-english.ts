import type { Config } from '../src/settings/config';
import type { Logger } from '../src/base/logger';
import { createRules } from '../src/rules/create-rules';
import type { Rules } from '../src/rules/rules';

/**
 * The rules that read English without a language model; undefined where PLAIN_ENGLISH is off, or where their package is not
 * installed. This is the one place of the service that knows the package, and it loads it only when it is wanted.
 */
export async function loadPlainEnglish(
  { PLAIN_ENGLISH }: Pick<Config, 'PLAIN_ENGLISH'>,
  logger: Logger,
): Promise<Rules | undefined> {
  if (PLAIN_ENGLISH === 'off') return undefined;
  if (isInstalled()) return createRules(await import('@holdfast/plain-english'));
  logger.warn(
    'packages/plain-english is not installed: the service runs as with PLAIN_ENGLISH=off, and sentences take a language model',
  );
  return undefined;
}

/** A package that is there and cannot be loaded is a broken installation, and ends the start instead. */
function isInstalled(): boolean {
  try {
    require.resolve('@holdfast/plain-english/package.json');
    return true;
  } catch {
    return false;
  }
}
