import { messageOf } from '../../base/errors';
import type { Logger } from '../../base/logger';
import type { SecretBox } from '../../secrets/secret-box';
import type { TenantDocuments } from '../../stores/documents';
import type { MemoryKind } from '../../stores/memory/node';

export interface PassCursorPorts {
  readonly documents: Pick<TenantDocuments, 'get' | 'write'>;
  /** Seals the name of the last user. */
  readonly secrets: SecretBox;
  readonly logger: Pick<Logger, 'warn'>;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

/** Where a pass is. A user who has events is visited for these, and only other users for their concepts. */
export interface Position {
  readonly kind: MemoryKind;
  readonly after?: string;
}

/** Keeps where the pass over all users of a tenant is. All methods throw `STORE_UNAVAILABLE` (retryable). */
export interface PassCursor {
  read(): Promise<Position>;
  /** @param position undefined at the end of a pass */
  write(position: Position | undefined): Promise<void>;
  /** Lets the pass begin again where its last user is this one, so that no document names the user. */
  forget(userId: string): Promise<void>;
}

const COLLECTION = 'consolidation-pass';
const KEY = 'cursor';
/** A pass that was stopped begins again after this time, and no document names its last user any more, milliseconds. */
const CURSOR_MS = 2 * 86_400_000;
const FIRST: Position = { kind: 'episodic' };

export function createPassCursor({ documents, secrets, logger, now }: PassCursorPorts): PassCursor {
  async function read(): Promise<Position> {
    const stored = await documents.get<string>(COLLECTION, KEY);
    if (stored === undefined) return FIRST;
    try {
      return JSON.parse(secrets.open(stored.value, COLLECTION)) as Position;
    } catch (error) {
      // It was sealed with a former key.
      logger.warn({ reason: messageOf(error) }, 'the consolidation of all users begins again');
      return FIRST;
    }
  }

  async function write(position: Position | undefined): Promise<void> {
    const document = { collection: COLLECTION, key: KEY };
    await documents.write([
      position === undefined
        ? { type: 'delete', ...document }
        : {
            type: 'put',
            ...document,
            value: secrets.seal(JSON.stringify(position), COLLECTION),
            expiresAt: now() + CURSOR_MS,
          },
    ]);
  }

  return {
    read,
    write,
    async forget(userId) {
      if ((await read()).after === userId) await write(undefined);
    },
  };
}
