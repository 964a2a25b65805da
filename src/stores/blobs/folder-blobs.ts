import { randomUUID } from 'node:crypto';
import type { Stats } from 'node:fs';
import { mkdir, open, opendir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { codeOf } from '../../base/errors';
import type { BlobInfo, BlobStore } from './blob-store';
import { checkBlobKey, blobsUnavailable, isBlobKey } from './keys';

const DRAFT = '.tmp';

/** Errors of the system if no file or folder of this name exists. */
const ABSENT = new Set(['ENOENT', 'ENOTDIR', 'EISDIR']);
/** Errors of file systems that cannot sync folders, such as some network file systems. */
const UNSYNCABLE = new Set(['EINVAL', 'ENOTSUP']);
/** Reasons for errors of the system, without a path. For other errors the reason is their code, as their message has a path. */
const REASONS: ReadonlyMap<string, string> = new Map([
  ['EIO', 'the disk fails'],
  ['ENOSPC', 'the disk is full'],
  ['EDQUOT', 'the disk is full'],
  ['EACCES', 'its folder may not be used'],
  ['EPERM', 'its folder may not be used'],
  ['EROFS', 'its folder is read-only'],
]);

/** Blobs as files of a folder that all processes of the service share. */
export class FolderBlobs implements BlobStore {
  readonly kind = 'folder';
  readonly #root: string;

  constructor(root: string) {
    this.#root = root;
  }

  async ping(): Promise<void> {
    await this.#withStoreErrors(() => createFolder(this.#root));
  }

  async put(key: string, data: Uint8Array): Promise<void> {
    await this.#write(key, data);
  }

  async putStream(key: string, chunks: AsyncIterable<Uint8Array>): Promise<void> {
    await this.#write(key, chunks);
  }

  async get(key: string, signal?: AbortSignal): Promise<Buffer | undefined> {
    return this.#undefinedIfAbsent(() => readFile(this.#path(key), signal === undefined ? {} : { signal }));
  }

  async getRange(key: string, offset: number, length: number): Promise<Buffer | undefined> {
    return this.#undefinedIfAbsent(async () => {
      const file = await open(this.#path(key), 'r');
      try {
        const range = Buffer.alloc(length);
        let filled = 0;
        while (filled < length) {
          const { bytesRead } = await file.read(range, filled, length - filled, offset + filled);
          if (bytesRead === 0) break;
          filled += bytesRead;
        }
        return range.subarray(0, filled);
      } finally {
        await file.close();
      }
    });
  }

  async move(from: string, to: string): Promise<void> {
    await this.#withStoreErrors(async () => {
      await createFolder(dirname(this.#path(to)));
      await rename(this.#path(from), this.#path(to));
      await syncFolder(dirname(this.#path(to)));
    });
  }

  async *list(folder: string): AsyncGenerator<BlobInfo> {
    for await (const { key, info } of this.#files(folder)) {
      if (!key.endsWith(DRAFT)) yield { key, bytes: info.size, modifiedAt: info.mtimeMs };
    }
  }

  async remove(key: string): Promise<void> {
    await this.#withStoreErrors(() => rm(this.#path(key), { force: true }));
  }

  async removeFolder(folder: string): Promise<void> {
    await this.#withStoreErrors(() => rm(this.#path(folder), { recursive: true, force: true }));
  }

  async removeDrafts(folder: string, before: number): Promise<number> {
    let removed = 0;
    for await (const { key, info } of this.#files(folder)) {
      if (!key.endsWith(DRAFT) || info.mtimeMs >= before) continue;
      await this.remove(key);
      removed += 1;
    }
    return removed;
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  #path(key: string): string {
    return join(this.#root, checkBlobKey(key));
  }

  /**
   * Writes a file under a temporary name, syncs it, renames it and syncs the folder. So a reader gets the whole value or none,
   * and an acknowledged value exists, also after a power cut.
   */
  async #write(key: string, data: Uint8Array | AsyncIterable<Uint8Array>): Promise<void> {
    const path = this.#path(key);
    const draft = `${path}.${randomUUID()}${DRAFT}`;
    await this.#withStoreErrors(async () => {
      await createFolder(dirname(path));
      try {
        await writeDraft(draft, data);
        await rename(draft, path);
        await syncFolder(dirname(path));
      } catch (error) {
        await rm(draft, { force: true });
        throw error;
      }
    });
  }

  async *#files(folder: string): AsyncGenerator<{ readonly key: string; readonly info: Stats }> {
    const entries = await this.#undefinedIfAbsent(() => opendir(this.#path(folder)));
    for await (const entry of entries ?? []) {
      const key = `${folder}/${entry.name}`;
      if (!isBlobKey(key)) continue;
      if (entry.isDirectory()) yield* this.#files(key);
      else {
        const info = await this.#undefinedIfAbsent(() => stat(join(this.#root, key)));
        if (info !== undefined) yield { key, info };
      }
    }
  }

  async #undefinedIfAbsent<T>(action: () => Promise<T>): Promise<T | undefined> {
    return this.#withStoreErrors(async () => {
      try {
        return await action();
      } catch (error) {
        if (ABSENT.has(codeOf(error))) return undefined;
        throw error;
      }
    });
  }

  /** Converts errors of the system to `STORE_UNAVAILABLE`. Other errors, such as those of a caller's stream, stay unchanged. */
  async #withStoreErrors<T>(action: () => Promise<T>): Promise<T> {
    try {
      return await action();
    } catch (error) {
      const code = codeOf(error);
      if (!REASONS.has(code) && !namesPath(error)) throw error;
      throw blobsUnavailable(REASONS.get(code) ?? `the system answers ${code}`, { cause: error });
    }
  }
}

/** Creates a folder with its parents, as durably as its files: it syncs the parent of each new folder. */
async function createFolder(path: string): Promise<void> {
  const first = await mkdir(path, { recursive: true, mode: 0o700 });
  if (first === undefined) return;
  const last = dirname(first);
  for (let above = dirname(path); above.length >= last.length; above = dirname(above)) {
    await syncFolder(above);
    if (above === last) return;
  }
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } catch (error) {
    if (!UNSYNCABLE.has(codeOf(error))) throw error;
  } finally {
    await folder.close();
  }
}

async function writeDraft(path: string, data: Uint8Array | AsyncIterable<Uint8Array>): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await writeFile(file, data);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Whether an error of the system names a path. It checks properties, because such errors may come from another realm. */
function namesPath(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'path' in error && 'syscall' in error;
}
