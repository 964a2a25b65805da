import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { SMALL_FILES, WEIGHT_FILES, weightsIn, missingFiles, type ModelSource } from './model-source';

export interface DownloadOptions {
  /** Base address of the hub. */
  readonly hubUrl: string;
  readonly signal: AbortSignal;
  /** Told the share of the weights that has arrived, 0 to 1; the other files are small. First told at an answer. */
  onProgress(share: number): void;
}

/** A hub that does not answer within this time is taken for out of reach. */
const ANSWER_MS = 10_000;
/** A transfer without a byte for so long is given up. */
const STALL_MS = 30_000;
const NOT_FOUND = 404;

/**
 * Downloads what a model of the hub lacks. A file appears under its name when it is complete, so that a transfer
 * that broke off, or one of another process, is never taken for a model. Throws with the address and the reason.
 */
export async function downloadModel(source: ModelSource, options: DownloadOptions): Promise<void> {
  const onAnswer = (): void => options.onProgress(0);
  const missing = missingFiles(source.folder);
  for (const file of SMALL_FILES) {
    if (missing.includes(file)) await downloadFirst(source, [file], { ...options, onProgress: onAnswer });
  }
  if (weightsIn(source.folder) === undefined) await downloadFirst(source, WEIGHT_FILES, options);
}

/** Downloads the first of the files that the hub has. */
async function downloadFirst(
  { name, folder }: ModelSource,
  files: readonly string[],
  options: DownloadOptions,
): Promise<void> {
  const base = `${options.hubUrl.replace(/\/+$/, '')}/${name}/resolve/main`;
  for (const file of files) {
    const url = `${base}/${file}`;
    try {
      if (await downloadFile(url, join(folder, file), options)) return;
    } catch (error) {
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
): Promise<boolean> {
  const partial = `${target}.${randomUUID()}.part`;
  const watch = new StallWatch();
  try {
    watch.expect('answer', ANSWER_MS);
    const response = await fetch(url, {
      signal: AbortSignal.any([signal, watch.signal]),
      // Compressed, the length would not be that of the file.
      headers: { 'accept-encoding': 'identity' },
    });
    if (response.status === NOT_FOUND) return false;
    if (!response.ok || response.body === null) throw new Error(`the hub answered ${response.status}`);
    const total = Number(response.headers.get('content-length') ?? 0);
    let received = 0;
    const onChunk = (bytes: number): void => {
      watch.expect('data', STALL_MS);
      received += bytes;
      onProgress(total > 0 ? Math.min(received / total, 1) : 0);
    };
    onChunk(0);
    await mkdir(dirname(target), { recursive: true });
    await pipeline(Readable.fromWeb(response.body), counting(onChunk), createWriteStream(partial));
    await rename(partial, target);
    return true;
  } finally {
    watch.end();
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
