import type { BlobStore } from '../stores/blobs/blob-store';
import { FolderBlobs } from '../stores/blobs/folder-blobs';
import { LayeredBlobs } from '../stores/blobs/layered-blobs';
import { S3Blobs } from '../stores/blobs/s3/s3-blobs';
import type { S3Settings } from '../stores/blobs/s3/settings';

export interface BlobStoreSettings {
  readonly DATA_DIR: string;
  /** The bucket that several machines share. Undefined: blobs are files in DATA_DIR. */
  readonly s3: S3Settings | undefined;
}

/**
 * Creates the store of large values. It opens nothing yet. With a bucket, values that are still in DATA_DIR can be read until they
 * expire.
 */
export function createBlobStore({ DATA_DIR, s3 }: BlobStoreSettings): BlobStore {
  const folder = new FolderBlobs(DATA_DIR);
  return s3 === undefined ? folder : new LayeredBlobs(new S3Blobs(s3), folder);
}
