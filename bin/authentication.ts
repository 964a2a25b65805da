import { createAuthenticator, type Authenticator } from '../src/access/authenticator';
import { createFailedAttempts } from '../src/access/failed-attempts';
import { createTokenVerifier } from '../src/access/json-web-tokens';
import { createKeyStore, type KeyStore } from '../src/access/key-store';
import { messageOf } from '../src/base/errors';
import type { DocumentStore } from '../src/stores/documents';
import { serverClock } from '../temporal/server-clock';
import type { Part } from './process';

export interface Authentication {
  /** Absent: callers are not authenticated. */
  readonly authenticator?: Authenticator;
  /** Absent: keys are not accepted. */
  readonly keys?: KeyStore;
}

/**
 * Prepares what authenticates callers by the settings.
 * @throws HoldfastError `CONFIGURATION` if the key of tokens cannot be used
 */
export async function openAuthentication(
  { config, logger }: Pick<Part, 'config' | 'logger'>,
  documents: DocumentStore,
): Promise<Authentication> {
  const { keys: takesKeys, tokens: settings } = config.authentication;
  if (!takesKeys && settings === undefined) return {};
  // Keys and tokens expire by the clock by which their runs are timed.
  const { now } = serverClock;
  const keys = takesKeys ? createKeyStore({ documents, now }) : undefined;
  const tokens = settings && (await createTokenVerifier(settings, now));
  const authenticator = createAuthenticator({ keys, tokens, failures: createFailedAttempts() });
  if (keys !== undefined) await explainFirstKey(keys, logger);
  return keys === undefined ? { authenticator } : { authenticator, keys };
}

/** Without a key and without tokens, only the command line can create the first key. */
async function explainFirstKey(keys: KeyStore, logger: Part['logger']): Promise<void> {
  try {
    if ((await keys.list()).length > 0) return;
    logger.warn(
      'AUTH is keys and there is no key yet; create one with ' +
        '`npm run keys -- create --name first --scopes read,run,memory,records,tools,admin`',
    );
  } catch (error) {
    logger.warn({ reason: messageOf(error) }, 'the keys of callers could not be read yet');
  }
}
