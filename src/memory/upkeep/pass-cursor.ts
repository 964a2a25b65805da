import { messageOf } from '../../base/errors';
import type { Logger } from '../../base/logger';
import type { SecretBox } from '../../secrets/secret-box';
import type { TenantDocuments } from '../../stores/documents';

export interface PassCursorPorts {
  readonly documents: Pick<TenantDocuments, 'get' | 'write'>;
  /** Seals the name of the last user. */
  readonly secrets: SecretBox;
  readonly logger: Pick<Logger, 'warn'>;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

/** Where a pass is. */
interface Position {
  /** The last user. */
  readonly after?: string;
}

/** Keeps where a pass over all users of a tenant is. All methods throw `STORE_UNAVAILABLE` (retryable). */
export interface PassCursor<P extends Position = Position> {
  /** @returns undefined when a pass begins */
  read(): Promise<P | undefined>;
  /** @param position undefined at the end of a pass */
  write(position: P | undefined): Promise<void>;
  /** Lets the pass begin again if its last user is this one, so that no document names the user. */
  forget(userId: string): Promise<void>;
}

const KEY = 'cursor';
/** A pass that was stopped begins again after this time, and no document names its last user any more, milliseconds. */
const CURSOR_MS = 2 * 86_400_000;

/** @param collection the documents of the passes of one kind, in which there is one for each pass under way */
export function createPassCursor<P extends Position>(
  { documents, secrets, logger, now }: PassCursorPorts,
  collection: string,
): PassCursor<P> {
  async function read(): Promise<P | undefined> {
    const stored = await documents.get<string>(collection, KEY);
    if (stored === undefined) return undefined;
    try {
      return JSON.parse(secrets.open(stored.value, collection)) as P;
    } catch (error) {
      // It was sealed with a former key.
      logger.warn({ reason: messageOf(error) }, 'a pass over all users begins again');
      return undefined;
    }
  }

  async function write(position: P | undefined): Promise<void> {
    const document = { collection, key: KEY };
    await documents.write([
      position === undefined
        ? { type: 'delete', ...document }
        : {
            type: 'put',
            ...document,
            value: secrets.seal(JSON.stringify(position), collection),
            expiresAt: now() + CURSOR_MS,
          },
    ]);
  }

  return {
    read,
    write,
    async forget(userId) {
      if ((await read())?.after === userId) await write(undefined);
    },
  };
}
