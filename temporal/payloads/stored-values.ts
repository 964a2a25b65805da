import { createHash } from 'node:crypto';
import {
  type Payload,
  type StorageDriver,
  StorageDriverClaim,
  type StorageDriverStoreContext,
} from '@temporalio/common';
import { temporal } from '@temporalio/proto';
import { LARGE_PIECE_BYTES, nextLargePiece } from '../../src/base/async/large-pieces';
import { HoldfastError } from '../../src/base/errors';
import type { BlobStore, BlobStoreKind } from '../../src/stores/blobs/blob-store';
import { rethrowAsFailure } from '../failures';
import { StoredJson, type StoredPlace } from './stored-json';

const PayloadMessage = temporal.api.common.v1.Payload;
const VALUES = 'payloads';
const OWNER = 'workflow-id';
const HASH = /^[0-9a-f]{64}$/;
const KINDS: readonly BlobStoreKind[] = ['folder', 's3'];

const sha256 = (data: string | Uint8Array): string => createHash('sha256').update(data).digest('hex');

/**
 * The folder for all values of one namespace of one server, with a subfolder for each workflow. The namespace is part
 * of the path because services with other servers may share the store, and must not remove these values as leftovers.
 */
export function namespaceFolder(namespaceId: string): string {
  return `${VALUES}/${sha256(namespaceId)}`;
}

/** The folder for the values of one workflow of a namespace. */
export function workflowFolder(namespaceId: string, workflowId: string): string {
  // The id is hashed because it may contain any character.
  return `${namespaceFolder(namespaceId)}/${sha256(workflowId)}`;
}

/** The key of the blob that holds the workflow id of a folder. */
export function ownerKey(folder: string): string {
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
  const values: Uint8Array[] = [];
  // Values are named by their content. A repeat rewrites the same bytes under the same name, and renews the age that
  // the sweeper checks.
  const names: string[] = [];
  for (const payload of payloads) {
    if ((payload.data?.length ?? 0) >= LARGE_PIECE_BYTES) await nextLargePiece();
    const data = PayloadMessage.encode(payload).finish();
    values.push(data);
    names.push(sha256(data));
  }
  // A reference is returned only after all values are stored.
  await Promise.all([
    blobs.put(ownerKey(folder), Buffer.from(owner), abortSignal),
    ...values.map((data, place) => blobs.put(`${folder}/${names[place] ?? ''}`, data, abortSignal)),
  ]);
  const [, namespace = '', workflow = ''] = folder.split('/');
  return names.map((name) => new StorageDriverClaim({ namespace, folder: workflow, name }));
}

function placeOf(blobs: BlobStore, { namespace, folder = '', name = '' }: ClaimData): StoredPlace {
  // The first builds of 21 November named no namespace.
  const path = namespace === undefined ? [folder, name] : [namespace, folder, name];
  if (!path.every((part) => HASH.test(part))) {
    throw new HoldfastError('INTERNAL', 'A reference to a stored value is malformed');
  }
  return {
    blobs,
    key: [VALUES, ...path].join('/'),
    digest: name,
    missing() {
      const message = 'A stored value is not there; do all processes share one store (PAYLOAD_STORE)?';
      return new HoldfastError('STORE_UNAVAILABLE', message, {
        details: { service: 'payloads', reason: 'missing' },
        retryable: true,
      });
    },
    altered: () => new HoldfastError('INTERNAL', 'A stored value was altered'),
  };
}

async function retrieveOne(
  blobs: BlobStore,
  { claimData }: StorageDriverClaim,
  signal: AbortSignal | undefined,
): Promise<Payload> {
  const { key, digest, missing, altered } = placeOf(blobs, claimData);
  const data = await blobs.get(key, signal);
  if (data === undefined) throw missing();
  if (data.length >= LARGE_PIECE_BYTES) await nextLargePiece();
  if (sha256(data) !== digest) throw altered();
  return PayloadMessage.decode(data);
}

type ClaimData = StorageDriverClaim['claimData'];

/** A driver that can also open a value without reading all of it. */
export interface ValueDriver extends StorageDriver {
  /** @throws HoldfastError as `StoredJson.open` does */
  open(claimData: ClaimData): Promise<StoredJson | undefined>;
}

/**
 * Creates the drivers that store large values outside of the engine, in one folder for each workflow, so that history
 * holds only a reference. All processes have to share the store. `namespaceId` is called when a value is stored, when
 * the engine is connected. `value-sweeper.ts` removes the values of runs that no longer exist. A reference names the
 * kind of store that wrote it, but its value can be read from any store that has it, so there is a driver for each
 * kind. The first driver is the one to write with.
 */
export function createValueDrivers(
  blobs: BlobStore,
  namespaceId: () => string,
): readonly [ValueDriver, ...ValueDriver[]] {
  const driver = (kind: BlobStoreKind): ValueDriver => ({
    name: kind,
    type: `holdfast.${kind}`,
    store: (context, payloads) => rethrowAsFailure(() => storeAll(blobs, namespaceId(), context, payloads)),
    retrieve: ({ abortSignal }, claims) =>
      rethrowAsFailure(() => Promise.all(claims.map((claim) => retrieveOne(blobs, claim, abortSignal)))),
    open: (claimData) => StoredJson.open(placeOf(blobs, claimData)),
  });
  return [driver(blobs.kind), ...KINDS.filter((kind) => kind !== blobs.kind).map(driver)];
}
