import { createHash } from 'node:crypto';
import type { Payload, StorageDriver, StorageDriverStoreContext } from '@temporalio/common';
import { StorageDriverClaim } from '@temporalio/common';
import { temporal } from '@temporalio/proto';
import { HoldfastError } from '../src/base/errors';
import type { BlobStore, BlobStoreKind } from '../src/stores/blobs/blob-store';
import { asFailure } from './failures';

const PayloadMessage = temporal.api.common.v1.Payload;
const VALUES = 'payloads';
const OWNER = 'workflow-id';
const HASH = /^[0-9a-f]{64}$/;
const KINDS: readonly BlobStoreKind[] = ['folder', 's3'];

const sha256 = (data: string | Uint8Array): string => createHash('sha256').update(data).digest('hex');

/**
 * What one namespace of one server has stored, one folder a workflow. Whoever uses the same store with another
 * server must not take these values for leftovers, although no workflow there has such an id.
 */
export function namespaceFolder(namespaceId: string): string {
  return `${VALUES}/${sha256(namespaceId)}`;
}

/** What one workflow of a namespace has stored. */
export function workflowFolder(namespaceId: string, workflowId: string): string {
  // A hash, whatever characters the id has.
  return `${namespaceFolder(namespaceId)}/${sha256(workflowId)}`;
}

/** The blob that names the workflow of a folder. */
export function ownerOf(folder: string): string {
  return `${folder}/${OWNER}`;
}

async function storeAll(
  blobs: BlobStore,
  namespaceId: string,
  { target, abortSignal }: StorageDriverStoreContext,
  payloads: readonly Payload[],
): Promise<StorageDriverClaim[]> {
  const owner = target?.id ?? 'unowned';
  const folder = workflowFolder(namespaceId, owner);
  const values = payloads.map((payload) => PayloadMessage.encode(payload).finish());
  // Named by content, so a repeat rewrites the same bytes under the same name, and makes them young for the sweeper.
  const names = values.map((data) => sha256(data));
  // Nobody has a reference before all of them are there.
  await Promise.all([
    blobs.put(ownerOf(folder), Buffer.from(owner), abortSignal),
    ...values.map((data, place) => blobs.put(`${folder}/${names[place] ?? ''}`, data, abortSignal)),
  ]);
  const [, namespace = '', workflow = ''] = folder.split('/');
  return names.map((name) => new StorageDriverClaim({ namespace, folder: workflow, name }));
}

async function retrieveOne(
  blobs: BlobStore,
  { claimData }: StorageDriverClaim,
  signal: AbortSignal | undefined,
): Promise<Payload> {
  const { namespace = '', folder = '', name = '' } = claimData;
  if (![namespace, folder, name].every((part) => HASH.test(part))) {
    throw new HoldfastError('INTERNAL', 'A reference to a stored value is malformed');
  }
  const data = await blobs.get(`${VALUES}/${namespace}/${folder}/${name}`, signal);
  if (data === undefined) {
    const message = 'A stored value is not there; do all processes share one store (PAYLOAD_STORE)?';
    throw new HoldfastError('STORE_UNAVAILABLE', message, {
      details: { service: 'payloads', reason: 'missing' },
      retryable: true,
    });
  }
  if (sha256(data) !== name) throw new HoldfastError('INTERNAL', 'A stored value was altered');
  return PayloadMessage.decode(data);
}

/**
 * Keeps large values beside the engine, one folder a workflow, so that history holds only a reference. The store must be shared
 * by all processes; the namespace's id is known by when there is something to store; `value-sweeper.ts` removes what belongs to
 * no run any more. A reference names the kind of store that it was written to, but any that has the value will do: there is a
 * driver for each kind, and the first is the one to write with.
 */
export function createValueDrivers(
  blobs: BlobStore,
  namespaceId: () => string,
): readonly [StorageDriver, ...StorageDriver[]] {
  const driver = (kind: BlobStoreKind): StorageDriver => ({
    name: kind,
    type: `holdfast.${kind}`,
    store: (context, payloads) => asFailure(() => storeAll(blobs, namespaceId(), context, payloads)),
    retrieve: ({ abortSignal }, claims) =>
      asFailure(() => Promise.all(claims.map((claim) => retrieveOne(blobs, claim, abortSignal)))),
  });
  return [driver(blobs.kind), ...KINDS.filter((kind) => kind !== blobs.kind).map(driver)];
}
