import { randomUUID } from 'node:crypto';
import type { Stats } from 'node:fs';
import { mkdir, open, opendir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { codeOf } from '../unavailable';
import type { BlobInfo, BlobStore } from './blob-store';
import { blobsUnavailable } from './errors';
import { soundKey } from './keys';

const DRAFT = '.tmp';

/** There is no file, or no folder, of this name. */
const ABSENT = new Set(['ENOENT', 'ENOTDIR', 'EISDIR']);
/** How file systems answer that keep no folders to be synced, as some of a network do. */
const UNSYNCABLE = new Set(['EINVAL', 'ENOTSUP']);
/** What is wrong with the folder, in words. Any other error of the system names a path, and goes by its code. */
const REASONS: ReadonlyMap<string, string> = new Map([
  ['EIO', 'the disk fails'],
  ['ENOSPC', 'the disk is full'],
  ['EDQUOT', 'the disk is full'],
  ['EACCES', 'its folder may not be used'],
  ['EPERM', 'its folder may not be used'],
  ['EROFS', 'its folder is read-only'],
]);

/** Blobs as files of a folder, which all processes of the service have to share. */
export class FolderBlobs implements BlobStore {
  readonly kind = 'folder';
  readonly #root: string;

  constructor(root: string) {
    this.#root = root;
  }

  async ping(): Promise<void> {
    await this.#use(() => makeFolder(this.#root));
  }

  async put(key: string, data: Uint8Array): Promise<void> {
    await this.#write(key, data);
  }

  async putStream(key: string, chunks: AsyncIterable<Uint8Array>): Promise<void> {
    await this.#write(key, chunks);
  }

  async get(key: string, signal?: AbortSignal): Promise<Buffer | undefined> {
    return this.#unlessAbsent(() => readFile(this.#path(key), signal === undefined ? {} : { signal }));
  }

  async getRange(key: string, offset: number, length: number): Promise<Buffer | undefined> {
    return this.#unlessAbsent(async () => {
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
    await this.#use(async () => {
      await makeFolder(dirname(this.#path(to)));
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
    await this.#use(() => rm(this.#path(key), { force: true }));
  }

  async removeFolder(folder: string): Promise<void> {
    await this.#use(() => rm(this.#path(folder), { recursive: true, force: true }));
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
    return join(this.#root, soundKey(key));
  }

  /**
   * Temporary name, fsync, rename, fsync of the folder: a reader sees the whole value or none, also after a power cut, and a value
   * that was acknowledged is there.
   */
  async #write(key: string, data: Uint8Array | AsyncIterable<Uint8Array>): Promise<void> {
    const path = this.#path(key);
    const draft = `${path}.${randomUUID()}${DRAFT}`;
    await this.#use(async () => {
      await makeFolder(dirname(path));
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
    const entries = await this.#unlessAbsent(() => opendir(this.#path(folder)));
    for await (const entry of entries ?? []) {
      const key = `${folder}/${entry.name}`;
      if (entry.isDirectory()) yield* this.#files(key);
      else {
        const info = await this.#unlessAbsent(() => stat(join(this.#root, key)));
        if (info !== undefined) yield { key, info };
      }
    }
  }

  async #unlessAbsent<T>(action: () => Promise<T>): Promise<T | undefined> {
    return this.#use(async () => {
      try {
        return await action();
      } catch (error) {
        if (ABSENT.has(codeOf(error))) return undefined;
        throw error;
      }
    });
  }

  /** What the system refuses is the store's failure; anything else is somebody else's, and stays as it is. */
  async #use<T>(action: () => Promise<T>): Promise<T> {
    try {
      return await action();
    } catch (error) {
      const code = codeOf(error);
      if (!REASONS.has(code) && !namesPath(error)) throw error;
      throw blobsUnavailable(REASONS.get(code) ?? `the system answers ${code}`, { cause: error });
    }
  }
}

/** Makes a folder with those above it, as durably as its files: each new name is synced in the folder that has it. */
async function makeFolder(path: string): Promise<void> {
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

/** By property and not by class, because errors of the system come from another realm. */
function namesPath(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'path' in error && 'syscall' in error;
}
