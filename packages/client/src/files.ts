import { successOf } from './errors.js';
import type { ApiPaths, Operations } from './types.js';

/** A file that is sent for later turns of a user. */
export interface NewFile {
  readonly userId: string;
  readonly name: string;
  /** Its media type, perhaps with a charset; a text is sent in UTF-8. */
  readonly type: string;
  readonly data: string | Uint8Array | Blob;
}

export interface FileCalls {
  /**
   * Keeps a file of a user for 24 hours, for `options.attachments` of a message. It is sent once, whatever the client does with other requests.
   * @throws HoldfastApiError if the service refuses it
   */
  upload(file: NewFile, options?: { readonly signal?: AbortSignal | undefined }): Promise<StoredFile>;
}

export type StoredFile =
  ApiPaths['/api/files']['post']['responses'][201]['content']['application/json']['data'];

export function createFileCalls(operations: Operations<ApiPaths>): FileCalls {
  return {
    upload: async ({ userId, name, type, data }, { signal } = {}) =>
      successOf(
        await operations.POST('/api/files', {
          params: { query: { userId, name } },
          headers: { 'Content-Type': type },
          // `fetch` sends texts, bytes and blobs as they are.
          body: data,
          bodySerializer: (body) => body as string,
          signal,
        }),
      ).data,
  };
}
