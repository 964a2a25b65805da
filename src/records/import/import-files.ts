import { createHash } from 'node:crypto';
import type { ImportError, ImportReport } from '../../contracts/http/records/imports';
import { HoldfastError } from '../../base/errors';
import { newId } from '../../base/ids';
import type { BlobStore } from '../../stores/blobs/blob-store';
import { firstLookOf, importFolder, progressOf, rowsOf, runOf, UPLOADS } from './import-keys';

export interface StoredUpload {
  readonly key: string;
  readonly bytes: number;
  /** SHA-256 of its bytes. */
  readonly digest: string;
}

/** The run that an import belongs to. */
export interface ImportRun {
  /** Of the engine's namespace: another engine's run of the same id is another run. */
  readonly namespaceId: string;
  readonly workflowId: string;
}

/** Rows as they are in the file, without their ends. */
export interface ReadRows {
  readonly rows: readonly string[];
  /** Where the next row begins, bytes. */
  readonly offset: number;
  readonly done: boolean;
}

export interface ImportFilesOptions {
  /** API and workers have to share it. */
  readonly blobs: BlobStore;
  readonly maxBytes: number;
  readonly maxRowBytes: number;
}

type Progress = Omit<ImportReport, 'errors'>;

const NEWLINE = 0x0a;
const CHUNK_BYTES = 256 * 1_024;
const ERRORS_SHOWN = 1_000;
const ERRORS_NAME = /\/errors-\d+\.json$/;
/** What an id of an import may be like. */
const SOUND_ID = /^(?!\.{1,2}$)[A-Za-z0-9._:-]{1,200}$/;

/** What is kept of imports: rows to be read, and what became of them. */
export class ImportFiles {
  readonly #options: ImportFilesOptions;

  constructor(options: ImportFilesOptions) {
    this.#options = options;
  }

  /** @throws HoldfastError `BODY_TOO_LARGE` */
  async receive(body: AsyncIterable<Uint8Array>): Promise<StoredUpload> {
    const { blobs, maxBytes, maxRowBytes } = this.#options;
    const key = `${UPLOADS}/${newId()}`;
    const hash = createHash('sha256');
    let bytes = 0;
    let rowBytes = 0;
    async function* check(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
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
    }
    await blobs.putStream(key, check(body));
    return { key, bytes, digest: hash.digest('hex') };
  }

  /** Takes away an upload that was not kept; where that fails, `sweepImports` does it. */
  async discard({ key }: StoredUpload): Promise<void> {
    await this.#options.blobs.remove(key).catch(() => undefined);
  }

  /** Makes an upload the rows of an import, which stay for as long as the engine knows its run. */
  async keep(
    importId: string,
    { key, bytes }: StoredUpload,
    { startedAt, run }: { readonly startedAt: string; readonly run: ImportRun },
  ): Promise<void> {
    // First, so that there are never rows of which nobody knows the run.
    await this.#writeJson(runOf(importId), run);
    await this.#options.blobs.move(key, rowsOf(importId));
    const counts = { rows: 0, created: 0, present: 0, failed: 0 };
    await this.#writeProgress({
      id: importId,
      state: 'running',
      startedAt,
      ...counts,
      bytesDone: 0,
      bytesTotal: bytes,
    });
  }

  /** Takes away an import whose run was not started; where that fails, `sweepImports` takes its rows. */
  async forget(importId: string): Promise<void> {
    await this.#options.blobs.removeFolder(importFolder(importId)).catch(() => undefined);
  }

  /** The run of an import; undefined where none is named. */
  runOf(importId: string): Promise<ImportRun | undefined> {
    return this.#readJson(runOf(importId)) as Promise<ImportRun | undefined>;
  }

  /**
   * Rows from a place on: so many at most, and none behind the one that makes up the bytes.
   * @throws HoldfastError `STORE_UNAVAILABLE`
   */
  async read(
    importId: string,
    offset: number,
    most: { readonly rows: number; readonly bytes: number },
  ): Promise<ReadRows> {
    const rows: string[] = [];
    let rest: Buffer = Buffer.alloc(0);
    let position = offset;
    let next = offset;
    for (;;) {
      const chunk = await this.#options.blobs.getRange(rowsOf(importId), position, CHUNK_BYTES);
      if (chunk === undefined) throw rowsMissing();
      position += chunk.length;
      rest = Buffer.concat([rest, chunk]);
      for (let end = rest.indexOf(NEWLINE); end !== -1; end = rest.indexOf(NEWLINE)) {
        rows.push(rest.toString('utf8', 0, end));
        rest = rest.subarray(end + 1);
        next += end + 1;
        if (rows.length === most.rows || next - offset >= most.bytes)
          return { rows, offset: next, done: false };
      }
      if (chunk.length > 0) continue;
      if (rest.length > 0) rows.push(rest.toString('utf8'));
      return { rows, offset: next + rest.length, done: true };
    }
  }

  /**
   * Keeps which lines of a stretch had no record when it was first looked at.
   * @returns those of the first look, which may have been an attempt's before
   */
  async firstLook(importId: string, offset: number, lines: readonly number[]): Promise<readonly number[]> {
    const key = firstLookOf(importId);
    const kept = (await this.#readJson(key)) as { offset: number; lines: readonly number[] } | undefined;
    if (kept?.offset === offset) return kept.lines;
    await this.#writeJson(key, { offset, lines });
    return lines;
  }

  /** Notes what became of the rows before `bytesDone`; the same again changes nothing. */
  async note(progress: Omit<Progress, 'bytesTotal'>, errors: readonly ImportError[]): Promise<void> {
    const first = errors[0];
    if (first !== undefined) {
      const name = `errors-${String(first.line).padStart(12, '0')}.json`;
      await this.#writeJson(`${importFolder(progress.id)}/${name}`, errors);
    }
    const known = await this.#readProgress(progress.id);
    await this.#writeProgress({ ...progress, bytesTotal: known?.bytesTotal ?? progress.bytesDone });
  }

  /** As it was noted last. */
  async report(importId: string): Promise<ImportReport | undefined> {
    const progress = SOUND_ID.test(importId) ? await this.#readProgress(importId) : undefined;
    if (progress === undefined) return undefined;
    const errors: ImportError[] = [];
    const stretches = new Set<string>();
    if (progress.failed > 0) {
      for await (const { key } of this.#options.blobs.list(importFolder(importId)))
        if (ERRORS_NAME.test(key)) stretches.add(key);
    }
    for (const key of [...stretches].sort()) {
      if (errors.length >= ERRORS_SHOWN) break;
      errors.push(...((await this.#readJson(key)) as ImportError[]));
    }
    return { ...progress, errors: errors.slice(0, ERRORS_SHOWN) };
  }

  #readProgress(importId: string): Promise<Progress | undefined> {
    return this.#readJson(progressOf(importId)) as Promise<Progress | undefined>;
  }

  #writeProgress(progress: Progress): Promise<void> {
    return this.#writeJson(progressOf(progress.id), progress);
  }

  async #readJson(key: string): Promise<unknown> {
    const data = await this.#options.blobs.get(key);
    return data === undefined ? undefined : (JSON.parse(data.toString('utf8')) as unknown);
  }

  #writeJson(key: string, value: unknown): Promise<void> {
    return this.#options.blobs.put(key, Buffer.from(JSON.stringify(value)));
  }
}

function tooLarge(what: string, most: number, setting: string): HoldfastError {
  return new HoldfastError('BODY_TOO_LARGE', `${what} is larger than ${most} bytes (${setting})`);
}

/** A worker that shares the store with the API finds them. */
function rowsMissing(): HoldfastError {
  const message = 'The rows of the import are not there; do all processes share one store (PAYLOAD_STORE)?';
  return new HoldfastError('STORE_UNAVAILABLE', message, {
    details: { service: 'payloads', reason: 'missing' },
    retryable: true,
  });
}
