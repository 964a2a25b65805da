import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, readdir, rename, rm, rmdir } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { HoldfastError, isHoldfastError } from '../../base/errors';
import { SMALL_FILES, WEIGHT_FILES, weightsIn, missingFiles, type ModelSource } from './model-source';

export interface DownloadOptions {
  /** The base address of the hub. */
  readonly hubUrl: string;
  /** The folder of downloaded models. */
  readonly downloads: string;
  /** The maximum size of all files of a model together, bytes. */
  readonly maxBytes: number;
  readonly signal: AbortSignal;
  /**
   * Called with the share of the weights that has been received, 0 to 1; the other files are small. The first call is made at
   * the first response.
   */
  onProgress(share: number): void;
}

/** A hub that does not answer within this time counts as unreachable. */
const ANSWER_MS = 10_000;
/** A transfer that receives no byte for this time is aborted. */
const STALL_MS = 30_000;
const NOT_FOUND = 404;

const PARTIAL_ENDING = '.part';

/**
 * Downloads the missing files of a model of the hub; only one process may do so at a time. A file gets its name when it is
 * complete, so that an interrupted transfer never counts as a model. If the download fails, its files are removed; incomplete
 * files of a killed process are removed at the start.
 * @throws HoldfastError `EMBEDDER_UNAVAILABLE`, not retryable, for a model above `maxBytes`; otherwise an Error with the
 * address and the reason
 */
export async function downloadModel(source: ModelSource, options: DownloadOptions): Promise<void> {
  await removePartial(options.downloads);
  const onResponse = (): void => options.onProgress(0);
  const missing = missingFiles(source.folder);
  const downloaded = new DownloadedFiles(source.name, options.maxBytes);
  try {
    for (const file of SMALL_FILES) {
      if (!missing.includes(file)) continue;
      await downloadFirst(source, [file], { ...options, onProgress: onResponse }, downloaded);
    }
    if (weightsIn(source.folder) === undefined)
      await downloadFirst(source, WEIGHT_FILES, options, downloaded);
  } catch (error) {
    for (const file of downloaded.files) await rm(file, { force: true });
    await removeEmpty(join(source.folder, dirname(WEIGHT_FILES[0])), options.downloads);
    throw error;
  }
}

/** The files of a model that a download has stored so far, and their size. */
class DownloadedFiles {
  readonly files: string[] = [];
  readonly #model: string;
  readonly #maxBytes: number;
  #bytes = 0;

  constructor(model: string, maxBytes: number) {
    this.#model = model;
    this.#maxBytes = maxBytes;
  }

  /** Checks whether this number of further bytes is allowed. @throws HoldfastError `EMBEDDER_UNAVAILABLE` */
  checkSize(bytes: number): void {
    if (this.#bytes + bytes <= this.#maxBytes) return;
    throw new HoldfastError(
      'EMBEDDER_UNAVAILABLE',
      `The embedding model ${this.#model} has more than ${this.#maxBytes} bytes (MEMORY_EMBEDDING_MAX_BYTES)`,
    );
  }

  add(bytes: number): void {
    this.checkSize(bytes);
    this.#bytes += bytes;
  }
}

async function removePartial(downloads: string): Promise<void> {
  await mkdir(downloads, { recursive: true });
  const files = await readdir(downloads, { recursive: true });
  for (const file of files) {
    if (file.endsWith(PARTIAL_ENDING)) await rm(join(downloads, file), { force: true });
  }
}

/** Removes a folder and its parents below `root`, as far as they are empty. */
async function removeEmpty(folder: string, root: string): Promise<void> {
  const inside = relative(root, folder);
  for (let path = inside; path !== '' && path !== '.' && !path.startsWith('..'); path = dirname(path)) {
    await rmdir(join(root, path)).catch(() => undefined);
  }
}

/** Downloads the first of the files that exists on the hub. */
async function downloadFirst(
  { name, folder }: ModelSource,
  files: readonly string[],
  options: DownloadOptions,
  downloaded: DownloadedFiles,
): Promise<void> {
  const base = `${options.hubUrl.replace(/\/+$/, '')}/${name}/resolve/main`;
  for (const file of files) {
    const url = `${base}/${file}`;
    try {
      if (await downloadFile(url, join(folder, file), options, downloaded)) return;
    } catch (error) {
      if (isHoldfastError(error)) throw error;
      throw new Error(url, { cause: error });
    }
  }
  throw new Error(`the hub does not have ${files.map((file) => `${base}/${file}`).join(' or ')}`);
}

/** Downloads a file. @returns false if the hub does not have it */
async function downloadFile(
  url: string,
  target: string,
  { signal, onProgress }: DownloadOptions,
  downloaded: DownloadedFiles,
): Promise<boolean> {
  const partial = `${target}.${randomUUID()}${PARTIAL_ENDING}`;
  const watch = new StallWatch();
  const done = new AbortController();
  try {
    watch.expect('answer', ANSWER_MS);
    const response = await fetch(url, {
      signal: AbortSignal.any([signal, watch.signal, done.signal]),
      // With compression, the content length would not be the size of the file.
      headers: { 'accept-encoding': 'identity' },
    });
    if (response.status === NOT_FOUND) return false;
    if (!response.ok || response.body === null) throw new Error(`the hub answered ${response.status}`);
    const total = Number(response.headers.get('content-length') ?? 0);
    downloaded.checkSize(total);
    let received = 0;
    const onChunk = (bytes: number): void => {
      watch.expect('data', STALL_MS);
      downloaded.add(bytes);
      received += bytes;
      onProgress(total > 0 ? Math.min(received / total, 1) : 0);
    };
    onChunk(0);
    await mkdir(dirname(target), { recursive: true });
    await pipeline(Readable.fromWeb(response.body), countBytes(onChunk), createWriteStream(partial));
    await rename(partial, target);
    downloaded.files.push(target);
    return true;
  } finally {
    watch.end();
    // The rest of an incomplete transfer is not needed.
    done.abort();
    await rm(partial, { force: true });
  }
}

/** Creates a stream transform that passes chunks on unchanged and calls `onChunk` with the length of each, in bytes. */
function countBytes(onChunk: (bytes: number) => void) {
  return async function* (chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks) {
      onChunk(chunk.length);
      yield chunk;
    }
  };
}

/** Aborts its signal when the expected data does not arrive in time. */
class StallWatch {
  readonly #controller = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  readonly signal = this.#controller.signal;

  expect(what: string, withinMs: number): void {
    this.end();
    this.#timer = setTimeout(
      () => this.#controller.abort(new Error(`no ${what} for ${withinMs} ms`)),
      withinMs,
    );
  }

  end(): void {
    clearTimeout(this.#timer);
  }
}
