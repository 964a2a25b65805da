import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, readdir, rename, rm, rmdir } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { HoldfastError, isHoldfastError } from '../../base/errors';
import { SMALL_FILES, WEIGHT_FILES, weightsIn, missingFiles, type ModelSource } from './model-source';

export interface DownloadOptions {
  /** Base address of the hub. */
  readonly hubUrl: string;
  /** Folder that models of the hub are kept in. */
  readonly downloads: string;
  /** The most that the files of a model may have together, bytes. */
  readonly maxBytes: number;
  readonly signal: AbortSignal;
  /** Told the share of the weights that has arrived, 0 to 1; the other files are small. First told at an answer. */
  onProgress(share: number): void;
}

/** A hub that does not answer within this time is taken for out of reach. */
const ANSWER_MS = 10_000;
/** A transfer without a byte for so long is given up. */
const STALL_MS = 30_000;
const NOT_FOUND = 404;

const PARTIAL_ENDING = '.part';

/**
 * Downloads what a model of the hub lacks; only one process may do so at a time. A file appears under its name when it is
 * complete, so that a transfer that broke off is never taken for a model. Where the download fails, nothing that it brought
 * stays, and what a process left that was killed at it goes.
 * @throws HoldfastError `EMBEDDER_UNAVAILABLE`, not retryable, for a model above `maxBytes`; else an Error with the address
 * and the reason
 */
export async function downloadModel(source: ModelSource, options: DownloadOptions): Promise<void> {
  await removePartial(options.downloads);
  const onAnswer = (): void => options.onProgress(0);
  const missing = missingFiles(source.folder);
  const brought = new Brought(source.name, options.maxBytes);
  try {
    for (const file of SMALL_FILES) {
      if (!missing.includes(file)) continue;
      await downloadFirst(source, [file], { ...options, onProgress: onAnswer }, brought);
    }
    if (weightsIn(source.folder) === undefined) await downloadFirst(source, WEIGHT_FILES, options, brought);
  } catch (error) {
    for (const file of brought.files) await rm(file, { force: true });
    await removeEmpty(join(source.folder, dirname(WEIGHT_FILES[0])), options.downloads);
    throw error;
  }
}

/** What a download has brought of a model so far. */
class Brought {
  readonly files: string[] = [];
  private bytes = 0;

  constructor(
    private readonly model: string,
    private readonly maxBytes: number,
  ) {}

  /** Checks whether this number of further bytes is allowed. @throws HoldfastError `EMBEDDER_UNAVAILABLE` */
  expect(bytes: number): void {
    if (this.bytes + bytes <= this.maxBytes) return;
    throw new HoldfastError(
      'EMBEDDER_UNAVAILABLE',
      `The embedding model ${this.model} has more than ${this.maxBytes} bytes (MEMORY_EMBEDDING_MAX_BYTES)`,
    );
  }

  add(bytes: number): void {
    this.expect(bytes);
    this.bytes += bytes;
  }
}

async function removePartial(downloads: string): Promise<void> {
  await mkdir(downloads, { recursive: true });
  const files = await readdir(downloads, { recursive: true });
  for (const file of files) {
    if (file.endsWith(PARTIAL_ENDING)) await rm(join(downloads, file), { force: true });
  }
}

/** Removes a folder and those around it up to `root`, as far as they are empty. */
async function removeEmpty(folder: string, root: string): Promise<void> {
  const inside = relative(root, folder);
  for (let path = inside; path !== '' && path !== '.' && !path.startsWith('..'); path = dirname(path)) {
    await rmdir(join(root, path)).catch(() => undefined);
  }
}

/** Downloads the first of the files that the hub has. */
async function downloadFirst(
  { name, folder }: ModelSource,
  files: readonly string[],
  options: DownloadOptions,
  brought: Brought,
): Promise<void> {
  const base = `${options.hubUrl.replace(/\/+$/, '')}/${name}/resolve/main`;
  for (const file of files) {
    const url = `${base}/${file}`;
    try {
      if (await downloadFile(url, join(folder, file), options, brought)) return;
    } catch (error) {
      if (isHoldfastError(error)) throw error;
      throw new Error(url, { cause: error });
    }
  }
  throw new Error(`the hub does not have ${files.map((file) => `${base}/${file}`).join(' or ')}`);
}

/** False where the hub does not have the file. */
async function downloadFile(
  url: string,
  target: string,
  { signal, onProgress }: DownloadOptions,
  brought: Brought,
): Promise<boolean> {
  const partial = `${target}.${randomUUID()}${PARTIAL_ENDING}`;
  const watch = new StallWatch();
  const over = new AbortController();
  try {
    watch.expect('answer', ANSWER_MS);
    const response = await fetch(url, {
      signal: AbortSignal.any([signal, watch.signal, over.signal]),
      // Compressed, the length would not be that of the file.
      headers: { 'accept-encoding': 'identity' },
    });
    if (response.status === NOT_FOUND) return false;
    if (!response.ok || response.body === null) throw new Error(`the hub answered ${response.status}`);
    const total = Number(response.headers.get('content-length') ?? 0);
    brought.expect(total);
    let received = 0;
    const onChunk = (bytes: number): void => {
      watch.expect('data', STALL_MS);
      brought.add(bytes);
      received += bytes;
      onProgress(total > 0 ? Math.min(received / total, 1) : 0);
    };
    onChunk(0);
    await mkdir(dirname(target), { recursive: true });
    await pipeline(Readable.fromWeb(response.body), counting(onChunk), createWriteStream(partial));
    await rename(partial, target);
    brought.files.push(target);
    return true;
  } finally {
    watch.end();
    // Ends a transfer of which the rest is not wanted.
    over.abort();
    await rm(partial, { force: true });
  }
}

/** Passes chunks on, and tells of each one's length, in bytes. */
function counting(onChunk: (bytes: number) => void) {
  return async function* (chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks) {
      onChunk(chunk.length);
      yield chunk;
    }
  };
}

/** Aborts its signal when what is expected does not come in time. */
class StallWatch {
  private readonly controller = new AbortController();
  private timer: NodeJS.Timeout | undefined;
  readonly signal = this.controller.signal;

  expect(what: string, withinMs: number): void {
    this.end();
    this.timer = setTimeout(
      () => this.controller.abort(new Error(`no ${what} for ${withinMs} ms`)),
      withinMs,
    );
  }

  end(): void {
    clearTimeout(this.timer);
  }
}
