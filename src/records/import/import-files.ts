import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ImportError, ImportReport } from '../../contracts/records/imports';
import { HoldfastError } from '../../errors';
import { newId } from '../../ids';

export interface StoredUpload {
  readonly path: string;
  /** SHA-256 of its bytes. */
  readonly digest: string;
}

/** Rows as they are in the file, without their ends. */
export interface ReadRows {
  readonly rows: readonly string[];
  /** Where the next row begins, bytes. */
  readonly offset: number;
  readonly done: boolean;
}

export interface ImportFilesOptions {
  /** The folder of all imports; API and workers have to share it. */
  readonly folder: string;
  readonly maxBytes: number;
  readonly maxRowBytes: number;
}

type Progress = Omit<ImportReport, 'errors'>;

const NEWLINE = 0x0a;
const CHUNK_BYTES = 256 * 1_024;
const ERRORS_SHOWN = 1_000;
const FIRST_LOOK = 'first-look.json';
/** What makes a folder's name of an id: nothing else may be in one. */
const SOUND_ID = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,199}$/;

/** What is kept of imports: rows to be read, and what became of them. */
export class ImportFiles {
  readonly #options: ImportFilesOptions;

  constructor(options: ImportFilesOptions) {
    this.#options = options;
  }

  /** @throws HoldfastError `BODY_TOO_LARGE` */
  async receive(body: Readable): Promise<StoredUpload> {
    const { folder, maxBytes, maxRowBytes } = this.#options;
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const path = join(folder, `upload-${newId()}`);
    const hash = createHash('sha256');
    let bytes = 0;
    let rowBytes = 0;
    try {
      await pipeline(
        body,
        async function* check(chunks: AsyncIterable<Buffer>) {
          for await (const chunk of chunks) {
            bytes += chunk.length;
            if (bytes > maxBytes) throw tooLarge('The body', maxBytes, 'RECORDS_IMPORT_MAX_BYTES');
            for (let begin = 0; begin < chunk.length;) {
              const newline = chunk.indexOf(NEWLINE, begin);
              const end = newline === -1 ? chunk.length : newline;
              rowBytes += end - begin;
              if (rowBytes > maxRowBytes) throw tooLarge('A row', maxRowBytes, 'MAX_BODY_BYTES');
              if (newline !== -1) rowBytes = 0;
              begin = end + 1;
            }
            hash.update(chunk);
            yield chunk;
          }
        },
        createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true }),
      );
    } catch (error) {
      await rm(path, { force: true });
      throw error;
    }
    return { path, digest: hash.digest('hex') };
  }

  async discard({ path }: StoredUpload): Promise<void> {
    await rm(path, { force: true });
  }

  /** Makes an upload the rows of an import. */
  async keep(importId: string, { path }: StoredUpload, startedAt: string): Promise<void> {
    await mkdir(this.#folder(importId), { recursive: true, mode: 0o700 });
    const bytesTotal = (await stat(path)).size;
    await rename(path, this.#rows(importId));
    const counts = { rows: 0, created: 0, present: 0, failed: 0 };
    await this.#writeProgress({
      id: importId,
      state: 'running',
      startedAt,
      ...counts,
      bytesDone: 0,
      bytesTotal,
    });
  }

  /** Rows from a place on: so many at most, and none behind the one that makes up the bytes. */
  async read(
    importId: string,
    offset: number,
    most: { readonly rows: number; readonly bytes: number },
  ): Promise<ReadRows> {
    const file = await open(this.#rows(importId), 'r');
    try {
      const rows: string[] = [];
      let rest: Buffer = Buffer.alloc(0);
      let position = offset;
      let next = offset;
      for (;;) {
        const chunk = Buffer.alloc(CHUNK_BYTES);
        const { bytesRead } = await file.read(chunk, 0, CHUNK_BYTES, position);
        position += bytesRead;
        rest = Buffer.concat([rest, chunk.subarray(0, bytesRead)]);
        for (let end = rest.indexOf(NEWLINE); end !== -1; end = rest.indexOf(NEWLINE)) {
          rows.push(rest.toString('utf8', 0, end));
          rest = rest.subarray(end + 1);
          next += end + 1;
          if (rows.length === most.rows || next - offset >= most.bytes)
            return { rows, offset: next, done: false };
        }
        if (bytesRead > 0) continue;
        if (rest.length > 0) rows.push(rest.toString('utf8'));
        return { rows, offset: next + rest.length, done: true };
      }
    } finally {
      await file.close();
    }
  }

  /**
   * Keeps which lines of a stretch had no record when it was first looked at.
   * @returns those of the first look, which may have been an attempt's before
   */
  async firstLook(importId: string, offset: number, lines: readonly number[]): Promise<readonly number[]> {
    const path = join(this.#folder(importId), FIRST_LOOK);
    const kept = (await readJson(path)) as { offset: number; lines: readonly number[] } | undefined;
    if (kept?.offset === offset) return kept.lines;
    await writeWhole(path, { offset, lines });
    return lines;
  }

  /** Notes what became of the rows before `bytesDone`; the same again changes nothing. */
  async note(progress: Omit<Progress, 'bytesTotal'>, errors: readonly ImportError[]): Promise<void> {
    const folder = this.#folder(progress.id);
    const first = errors[0];
    if (first !== undefined) {
      const name = `errors-${String(first.line).padStart(12, '0')}.json`;
      await writeWhole(join(folder, name), errors);
    }
    const known = await this.#readProgress(progress.id);
    await this.#writeProgress({ ...progress, bytesTotal: known?.bytesTotal ?? progress.bytesDone });
    if (progress.state !== 'completed') return;
    await rm(this.#rows(progress.id), { force: true });
    await rm(join(folder, FIRST_LOOK), { force: true });
  }

  /** Whether the rows of an import are all done with, and no longer kept. */
  async isCompleted(importId: string): Promise<boolean> {
    return (await this.#readProgress(importId))?.state === 'completed';
  }

  async report(importId: string): Promise<ImportReport | undefined> {
    const progress = SOUND_ID.test(importId) ? await this.#readProgress(importId) : undefined;
    if (progress === undefined) return undefined;
    const errors: ImportError[] = [];
    for (const name of (await readdir(this.#folder(importId))).sort()) {
      if (!name.startsWith('errors-') || errors.length >= ERRORS_SHOWN) continue;
      errors.push(...((await readJson(join(this.#folder(importId), name))) as ImportError[]));
    }
    return { ...progress, errors: errors.slice(0, ERRORS_SHOWN) };
  }

  #folder(importId: string): string {
    return join(this.#options.folder, importId);
  }

  #rows(importId: string): string {
    return join(this.#folder(importId), 'rows.ndjson');
  }

  #readProgress(importId: string): Promise<Progress | undefined> {
    return readJson(join(this.#folder(importId), 'progress.json')) as Promise<Progress | undefined>;
  }

  #writeProgress(progress: Progress): Promise<void> {
    return writeWhole(join(this.#folder(progress.id), 'progress.json'), progress);
  }
}

/** No reader finds half of it. */
async function writeWhole(path: string, value: unknown): Promise<void> {
  const draft = `${path}.${newId()}`;
  await writeFile(draft, JSON.stringify(value), { mode: 0o600 });
  await rename(draft, path);
}

async function readJson(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function tooLarge(what: string, most: number, setting: string): HoldfastError {
  return new HoldfastError('BODY_TOO_LARGE', `${what} is larger than ${most} bytes (${setting})`);
}
