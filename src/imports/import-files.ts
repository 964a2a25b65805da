import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import type { ImportCounts, ImportError, ImportProgress, ImportReport } from '../contracts/http/imports';
import type { RunOwner } from '../contracts/runs/run-owner';
import { eachAtOnce } from '../base/async/each-at-once';
import { HoldfastError } from '../base/errors';
import { newId } from '../base/ids';
import { parseJson } from '../base/json/parse';
import { DEFAULT_TENANT } from '../contracts/tenants';
import { memoryErasing } from '../stores/memory/errors';
import type { BlobStore } from '../stores/blobs/blob-store';
import {
  firstLookKey,
  importFolder,
  importsOf,
  progressKey,
  rowsKey,
  runKey,
  uploadFolder,
} from './import-keys';

export interface StoredUpload {
  readonly key: string;
  readonly bytes: number;
  /** SHA-256 of its bytes. */
  readonly digest: string;
}

/** The run that an import belongs to. */
export interface ImportRun {
  /** The id of the engine's namespace: a run with the same workflow id on another engine is another run. */
  readonly namespaceId: string;
  readonly workflowId: string;
}

/** Rows as they are in the file, without their line ends. */
export interface ReadRows {
  readonly rows: readonly string[];
  /** The offset at which the next row begins, bytes. */
  readonly offset: number;
  readonly done: boolean;
}

/** A limit, with the setting that it comes from. */
export type NamedLimit = readonly [max: number, setting: string];

export interface ImportFilesOptions<C extends ImportCounts> {
  /** The store of the files, which API and workers have to share. */
  readonly blobs: BlobStore;
  /** Whose imports these are: the records of a tenant, or the memories of a user. Default: those of the default tenant. */
  readonly owner?: RunOwner;
  readonly maxBytes: NamedLimit;
  readonly maxRowBytes: NamedLimit;
  /** Default: as many as there is room for. */
  readonly maxRows?: NamedLimit;
  /** The counts of an import that has not begun. */
  readonly nothing: C;
  /** The number of errors that an import with these counts has. Default: one for each failed row. */
  readonly errorsIn?: (counts: C) => number;
}

/** Repeats of one request that arrive together are kept within this time, milliseconds. The engine knows a run for longer. */
const TOGETHER_MS = 3_600_000;

const NEWLINE = 0x0a;
const CHUNK_BYTES = 256 * 1_024;
/** The maximum number of errors of an import that are stored and shown. */
const MAX_ERRORS = 1_000;
/** Maximum number of files that a report reads at once: one after another, hundreds of them in a bucket take many seconds. */
const READS_AT_ONCE = 16;
const ERRORS_NAME = /\/errors-\d+\.json$/;
/** The form of a valid id of an import. */
const VALID_ID = /^(?!\.{1,2}$)[A-Za-z0-9._:-]{1,200}$/;

/** The files of an owner's imports: the rows to read, and the report of their outcomes. */
export class ImportFiles<C extends ImportCounts = ImportCounts> {
  readonly #options: ImportFilesOptions<C>;
  readonly #owner: RunOwner;

  /** Throws `INTERNAL` if the tenant's name is malformed. */
  constructor(options: ImportFilesOptions<C>) {
    this.#options = options;
    this.#owner = options.owner ?? { tenant: DEFAULT_TENANT };
    importsOf(this.#owner);
  }

  /** @throws HoldfastError `BODY_TOO_LARGE` */
  async receive(body: AsyncIterable<Uint8Array>): Promise<StoredUpload> {
    const { blobs, maxBytes, maxRowBytes, maxRows = [Infinity, ''] } = this.#options;
    const key = `${uploadFolder(this.#owner)}/${newId()}`;
    const hash = createHash('sha256');
    let [bytes, rows, rowBytes] = [0, 0, 0];
    async function* checkSizes(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
      for await (const chunk of chunks) {
        bytes += chunk.length;
        if (bytes > maxBytes[0]) throw tooLarge('The body is larger', maxBytes, 'bytes');
        for (let begin = 0; begin < chunk.length;) {
          const newline = chunk.indexOf(NEWLINE, begin);
          const end = newline === -1 ? chunk.length : newline;
          if (rowBytes === 0) rows += 1;
          rowBytes += end - begin;
          if (rowBytes > maxRowBytes[0]) throw tooLarge('A row is larger', maxRowBytes, 'bytes');
          if (rows > maxRows[0]) throw tooLarge('The body has more', maxRows, 'rows');
          if (newline !== -1) rowBytes = 0;
          begin = end + 1;
        }
        hash.update(chunk);
        yield chunk;
      }
    }
    await blobs.putStream(key, checkSizes(body));
    return { key, bytes, digest: hash.digest('hex') };
  }

  /** Removes an upload that was not kept; if that fails, `sweepImports` removes it later. */
  async discard({ key }: StoredUpload): Promise<void> {
    await this.#options.blobs.remove(key).catch(() => undefined);
  }

  /**
   * Makes an upload the rows of an import. They stay as long as the engine knows the import's run. A much older report under the
   * same id is that of a run that the engine has forgotten, so it is removed.
   * @throws HoldfastError `MEMORY_ERASING` if the user of the import is erased meanwhile
   */
  async keep(
    importId: string,
    { key, bytes }: StoredUpload,
    { startedAt, run }: { readonly startedAt: string; readonly run: ImportRun },
  ): Promise<void> {
    const before = await this.#readProgress(importId);
    const isForgotten =
      before !== undefined && Date.parse(startedAt) - Date.parse(before.startedAt) > TOGETHER_MS;
    if (isForgotten) await this.#options.blobs.removeFolder(this.#folder(importId));
    // The run is written first, so that the run of stored rows is always known.
    await this.#writeJson(runKey(this.#folder(importId)), run);
    await this.#options.blobs.move(key, rowsKey(this.#folder(importId)));
    // An erasure of the user removes the folder, perhaps while the rows are moved.
    if ((await this.readRun(importId)) === undefined) {
      await this.#options.blobs.removeFolder(this.#folder(importId));
      throw memoryErasing();
    }
    // If a repeat arrives together with its first request, the run may have reported already.
    if ((await this.#readProgress(importId)) !== undefined) return;
    await this.#writeProgress({
      ...this.#options.nothing,
      id: importId,
      state: 'running',
      startedAt,
      bytesDone: 0,
      bytesTotal: bytes,
    });
  }

  /** Removes an import whose run was not started; if that fails, `sweepImports` removes its rows later. */
  async forget(importId: string): Promise<void> {
    await this.#options.blobs.removeFolder(this.#folder(importId)).catch(() => undefined);
  }

  /** Reads the run of an import; undefined if no run is stored with it. */
  readRun(importId: string): Promise<ImportRun | undefined> {
    return this.#readJson(runKey(this.#folder(importId))) as Promise<ImportRun | undefined>;
  }

  /**
   * Reads rows from an offset on: up to `max.rows`, and no further row once they have `max.bytes`.
   * @throws HoldfastError `STORE_UNAVAILABLE`
   */
  async read(
    importId: string,
    offset: number,
    max: { readonly rows: number; readonly bytes: number },
  ): Promise<ReadRows> {
    const key = rowsKey(this.#folder(importId));
    const rows: string[] = [];
    let rest: Buffer = Buffer.alloc(0);
    let position = offset;
    let next = offset;
    for (;;) {
      const chunk = await this.#options.blobs.getRange(key, position, CHUNK_BYTES);
      if (chunk === undefined) throw rowsMissing();
      position += chunk.length;
      rest = Buffer.concat([rest, chunk]);
      for (let end = rest.indexOf(NEWLINE); end !== -1; end = rest.indexOf(NEWLINE)) {
        rows.push(toText(rest.subarray(0, end)));
        rest = rest.subarray(end + 1);
        next += end + 1;
        if (rows.length === max.rows || next - offset >= max.bytes)
          return { rows, offset: next, done: false };
      }
      if (chunk.length > 0) continue;
      if (rest.length > 0) rows.push(toText(rest));
      return { rows, offset: next + rest.length, done: true };
    }
  }

  /**
   * Stores which lines of a step had no record when an attempt first looked.
   * @returns the lines of the first look, which an earlier attempt may have stored
   */
  async storeFirstLook(
    importId: string,
    offset: number,
    lines: readonly number[],
  ): Promise<readonly number[]> {
    const key = firstLookKey(this.#folder(importId));
    const firstLook = (await this.#readJson(key)) as { offset: number; lines: readonly number[] } | undefined;
    if (firstLook?.offset === offset) return firstLook.lines;
    await this.#writeJson(key, { offset, lines });
    return lines;
  }

  /**
   * Stores the outcomes of the rows before `bytesDone`; a repeat with the same arguments changes nothing.
   * @param errors those of the rows of the last step; no more of an import are stored than are shown, because reports are kept until
   *   somebody deletes them
   * @param pass the number of times that the rows were read before, so that errors of two passes are kept apart
   */
  async storeReport(
    progress: Omit<ImportProgress<C>, 'bytesTotal'>,
    errors: readonly ImportError[],
    pass = 0,
  ): Promise<void> {
    const before = this.#errorsIn(progress as ImportProgress<C>) - errors.length;
    const shown = errors.slice(0, Math.max(0, MAX_ERRORS - before));
    const [first] = shown;
    if (first !== undefined) {
      const name = `errors-${pass === 0 ? '' : pass}${String(first.line).padStart(12, '0')}.json`;
      await this.#writeJson(`${this.#folder(progress.id)}/${name}`, shown);
    }
    const known = await this.#readProgress(progress.id);
    const bytesTotal = known?.bytesTotal ?? progress.bytesDone;
    await this.#writeProgress({ ...progress, bytesTotal } as ImportProgress<C>);
  }

  /** Reads the report that was stored last. */
  async report(importId: string): Promise<ImportReport<C> | undefined> {
    const progress = VALID_ID.test(importId) ? await this.#readProgress(importId) : undefined;
    if (progress === undefined) return undefined;
    const stretches = new Set<string>();
    if (this.#errorsIn(progress) > 0) {
      for await (const { key } of this.#options.blobs.list(this.#folder(importId)))
        if (ERRORS_NAME.test(key)) stretches.add(key);
    }
    // Each stretch has an error, so no more of them are needed.
    const keys = [...stretches].sort().slice(0, MAX_ERRORS);
    const read = new Map<string, ImportError[]>();
    await eachAtOnce(keys, READS_AT_ONCE, async (key) => {
      read.set(key, (await this.#readJson(key)) as ImportError[]);
    });
    const errors = keys.flatMap((key) => read.get(key) ?? []);
    return { ...progress, errors: errors.slice(0, MAX_ERRORS) };
  }

  #errorsIn(counts: C): number {
    return this.#options.errorsIn?.(counts) ?? counts.failed;
  }

  #folder(importId: string): string {
    return importFolder(this.#owner, importId);
  }

  #readProgress(importId: string): Promise<ImportProgress<C> | undefined> {
    return this.#readJson(progressKey(this.#folder(importId))) as Promise<ImportProgress<C> | undefined>;
  }

  #writeProgress(progress: ImportProgress<C>): Promise<void> {
    return this.#writeJson(progressKey(this.#folder(progress.id)), progress);
  }

  async #readJson(key: string): Promise<unknown> {
    const data = await this.#options.blobs.get(key);
    return data === undefined ? undefined : parseJson(data.toString('utf8'));
  }

  #writeJson(key: string, value: unknown): Promise<void> {
    return this.#options.blobs.put(key, Buffer.from(JSON.stringify(value)));
  }
}

/** A row that is not UTF-8 becomes a text that is no JSON, so that it is reported and not stored with other characters. */
function toText(row: Buffer): string {
  return isUtf8(row) ? row.toString('utf8') : '\ufffd';
}

function tooLarge(what: string, [max, setting]: NamedLimit, unit: string): HoldfastError {
  return new HoldfastError('BODY_TOO_LARGE', `${what} than ${max} ${unit} (${setting})`);
}

/** Retryable, because a worker that shares the store with the API finds the rows. */
function rowsMissing(): HoldfastError {
  const message = 'The rows of the import are not there; do all processes share one store (PAYLOAD_STORE)?';
  return new HoldfastError('STORE_UNAVAILABLE', message, {
    details: { service: 'payloads', reason: 'missing' },
    retryable: true,
  });
}
