import { createHash, randomUUID } from 'node:crypto';
import { mkdir, open, readFile, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Payload, StorageDriver, StorageDriverStoreContext } from '@temporalio/common';
import { StorageDriverClaim } from '@temporalio/common';
import { temporal } from '@temporalio/proto';
import { HoldfastError } from '../src/errors';

const PayloadMessage = temporal.api.common.v1.Payload;
const OWNER_FILE = 'workflow-id';
const HASH = /^[0-9a-f]{64}$/;

const sha256 = (data: string | Uint8Array): string => createHash('sha256').update(data).digest('hex');

/**
 * What one namespace of one server has stored, one folder a workflow. Whoever uses the same data folder with another
 * server must not take these values for leftovers, although no workflow there has such an id.
 */
export function namespaceFolder(root: string, namespaceId: string): string {
  return join(root, sha256(namespaceId));
}

/** What one workflow of a namespace has stored. */
export function workflowFolder(root: string, namespaceId: string, workflowId: string): string {
  // A hash, whatever characters the id has.
  return join(namespaceFolder(root, namespaceId), sha256(workflowId));
}

/** Temporary name, fsync, rename: a reader sees the whole value or none, also after a power cut. */
async function writeDurably(path: string, data: Uint8Array): Promise<void> {
  const temporary = `${path}.${randomUUID()}.tmp`;
  try {
    const file = await open(temporary, 'wx', 0o600);
    try {
      await file.writeFile(data);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

async function storeOne(
  root: string,
  namespaceId: string,
  owner: string,
  payload: Payload,
): Promise<StorageDriverClaim> {
  const data = PayloadMessage.encode(payload).finish();
  const folder = workflowFolder(root, namespaceId, owner);
  const name = sha256(data);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeFile(join(folder, OWNER_FILE), owner, { flag: 'wx', mode: 0o600 }).catch(ignoreExisting);
  // Named by content, so a repeat rewrites the same bytes under the same name.
  await writeDurably(join(folder, name), data);
  const now = new Date();
  // Tells the sweeper that the folder is in use, also where the value was there before.
  await utimes(folder, now, now);
  return new StorageDriverClaim({ namespace: sha256(namespaceId), folder: sha256(owner), name });
}

function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error;
}

async function retrieveOne(root: string, { claimData }: StorageDriverClaim): Promise<Payload> {
  const { namespace = '', folder = '', name = '' } = claimData;
  if (![namespace, folder, name].every((part) => HASH.test(part))) {
    throw new HoldfastError('INTERNAL', 'A reference to a stored value is malformed');
  }
  const data = await readFile(join(root, namespace, folder, name)).catch((cause: unknown) => {
    throw new HoldfastError(
      'STORE_UNAVAILABLE',
      'A stored value cannot be read; do all processes share one data folder?',
      {
        details: { service: 'payloads', reason: 'unreadable' },
        retryable: true,
        cause,
      },
    );
  });
  if (sha256(data) !== name) throw new HoldfastError('INTERNAL', 'A stored value was altered');
  return PayloadMessage.decode(data);
}

/**
 * Keeps large values as files, one folder a workflow, so that history holds only a reference. `root` must
 * be shared by all processes; the namespace's id is known by when there is something to store; `payload-sweeper.ts` removes what belongs to no run any more.
 */
export function createPayloadFolder(root: string, namespaceId: () => string): StorageDriver {
  return {
    name: 'folder',
    type: 'holdfast.folder',
    store: (context: StorageDriverStoreContext, payloads) =>
      Promise.all(
        payloads.map((payload) => storeOne(root, namespaceId(), context.target?.id ?? 'unowned', payload)),
      ),
    retrieve: (_context, claims) => Promise.all(claims.map((claim) => retrieveOne(root, claim))),
  };
}
