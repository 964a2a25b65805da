import { join } from 'node:path';
import { HoldfastError, isHoldfastError, messageOf } from '../../base/errors';
import type { Logger } from '../../base/logger';
import { withProcessLock } from '../../base/process-lock';
import { applyCalibration, cosineAt, measureCalibration, type Calibration } from '../calibration';
import type { Embedder, EmbedderIdentity, EmbedderState } from '../embedder';
import { embedderUnavailable } from '../unavailable';
import { downloadModel } from './download';
import { ModelProcess } from './model-process';
import { checkFolder, missingFiles, type ModelSource } from './model-source';
import { untilAborted } from '../../base/async/time-limit';

const LINES = 10;
/** Logs the progress of a long task: one line when it first progresses, and one for each tenth of it. */
class ProgressLog {
  readonly #logger: Pick<Logger, 'info'>;
  readonly #what: string;
  readonly #fields: Readonly<Record<string, unknown>>;
  #loggedTenths = -1;

  /** @param fields those of the first line */
  constructor(logger: Pick<Logger, 'info'>, what: string, fields: Readonly<Record<string, unknown>>) {
    this.#logger = logger;
    this.#what = what;
    this.#fields = fields;
  }

  /** @param share the completed share of the task, 0 to 1 */
  logProgress(share: number): void {
    if (this.#loggedTenths < 0) {
      this.#loggedTenths = 0;
      this.#logger.info(this.#fields, this.#what);
    }
    const tenths = Math.floor(share * LINES);
    if (tenths <= this.#loggedTenths) return;
    this.#loggedTenths = tenths;
    this.#logger.info(`${this.#what}: ${(tenths * 100) / LINES} %`);
  }
}

export interface TransformersOptions {
  readonly source: ModelSource;
  /** The required length of the model's vectors. */
  readonly dimensions: number;
  /** The base address from which models are downloaded. */
  readonly hubUrl: string;
  /** The folder of downloaded models. */
  readonly downloads: string;
  /** The maximum size of a downloaded model, bytes. */
  readonly maxDownloadBytes: number;
  /** The compiled file of the model's process. */
  readonly entry: string;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
  /** The maximum number of waiting texts. Default 1,000. */
  readonly maxWaiting?: number;
  /** The time after a failed load from which a request starts another load, milliseconds. Default 30,000. */
  readonly retryAfterMs?: number;
}

const DEFAULT_MAX_WAITING = 1_000;
const DEFAULT_RETRY_AFTER_MS = 30_000;
/** A file in the folder of downloaded models. No model has this name. */
const LOCK_FILE = '.download.lock';
/** The similarity from which a memory is relevant, with every model. */
const MIN_RELEVANCE = 0.7;

/**
 * Chosen with all-MiniLM-L6-v2 on two conversations of LoCoMo, for which 0.3 to 0.5 find about as much, and on the development half of
 * `bench/memory/quality`.
 */
const MEANING_SHARE = 0.35;

/**
 * A sentence-embedding model that transformers.js runs. The constructor starts to load it in the background. After a crash, or
 * some time after a failed load, the next request loads it again.
 */
export class TransformersEmbedder implements Embedder {
  readonly identity: EmbedderIdentity;
  readonly meaningShare = MEANING_SHARE;
  readonly #retryAfterMs: number;
  readonly #closing = new AbortController();
  #state: EmbedderState = { state: 'loading' };
  #failure: { readonly error: HoldfastError; readonly atMs: number } | undefined;
  #model: Promise<ModelProcess>;
  /** Resolves when callers need not wait any longer: the model is loaded or is being downloaded. Rejects if it failed. */
  #loadedOrDownloading: Promise<unknown>;
  readonly #options: TransformersOptions;
  #running: ModelProcess | undefined;
  #calibration: Calibration | undefined;

  constructor(options: TransformersOptions) {
    this.#options = options;
    const { source, dimensions } = options;
    this.identity = { provider: 'transformers', model: source.name, dimensions };
    this.#retryAfterMs = options.retryAfterMs ?? DEFAULT_RETRY_AFTER_MS;
    ({ model: this.#model, loadedOrDownloading: this.#loadedOrDownloading } = this.#startLoading());
  }

  status(): EmbedderState {
    const error = this.#processError();
    return error === undefined ? this.#state : { state: 'failed', reason: reasonOf(error) };
  }

  async ready(signal?: AbortSignal): Promise<void> {
    await this.#waitForModel(signal);
  }

  async embed(texts: readonly string[], signal?: AbortSignal): Promise<Float32Array[]> {
    const process = await this.#waitForModel(signal);
    return process.embed(texts, signal);
  }

  /** Without a calibration, because the model does not separate related texts from others, the cosine itself is the result. */
  similarity(cosine: number): number {
    if (this.#calibration !== undefined) return applyCalibration(this.#calibration, cosine);
    return Math.min(Math.max(cosine, 0), 1);
  }

  relevance(cosine: number): number {
    return this.similarity(cosine);
  }

  async close(): Promise<void> {
    this.#closing.abort(embedderUnavailable('The embedder is closed'));
    await this.#model.catch(() => undefined);
    await this.#running?.close();
  }

  async #waitForModel(signal?: AbortSignal): Promise<ModelProcess> {
    signal?.throwIfAborted();
    this.#closing.signal.throwIfAborted();
    if (this.#shouldReload())
      ({ model: this.#model, loadedOrDownloading: this.#loadedOrDownloading } = this.#startLoading());
    await (signal === undefined
      ? this.#loadedOrDownloading
      : untilAborted(this.#loadedOrDownloading, signal));
    if (this.#state.state === 'loading' && this.#state.progress !== undefined) {
      const percent = Math.floor(this.#state.progress * 100);
      throw embedderUnavailable(
        `The embedding model ${this.identity.model} is being downloaded (${percent} %)`,
      );
    }
    return signal === undefined ? this.#model : untilAborted(this.#model, signal);
  }

  #shouldReload(): boolean {
    if (this.#failure !== undefined) {
      const { error, atMs } = this.#failure;
      return error.retryable && performance.now() - atMs >= this.#retryAfterMs;
    }
    return this.#processError() !== undefined;
  }

  /** The error with which a process in use ended. A process that ends while the model is being loaded is a failed load. */
  #processError(): Error | undefined {
    return this.#state.state === 'ready' ? this.#running?.ended : undefined;
  }

  #startLoading(): { model: Promise<ModelProcess>; loadedOrDownloading: Promise<unknown> } {
    const error = this.#processError();
    if (error !== undefined) this.#options.logger.warn(`${reasonOf(error)}; the model is loaded again`);
    this.#failure = undefined;
    this.#running = undefined;
    this.#state = { state: 'loading' };
    let onDownload: () => void = () => undefined;
    const downloading = new Promise<void>((resolve) => (onDownload = resolve));
    const model = this.#load(onDownload);
    const loadedOrDownloading = Promise.race([downloading, model]);
    // Callers that ask for a vector get the error, and `status` reports it.
    loadedOrDownloading.catch(() => undefined);
    return { model, loadedOrDownloading };
  }

  async #load(onDownload: () => void): Promise<ModelProcess> {
    try {
      const { isOnHub, folder } = this.#options.source;
      if (isOnHub && missingFiles(folder).length > 0) await this.#download(onDownload);
      const process = await this.#startProcess();
      this.#state = { state: 'ready' };
      return process;
    } catch (error) {
      const failure = this.#toCallerError(error);
      this.#failure = { error: failure, atMs: performance.now() };
      const reason = `The embedding model ${this.identity.model} cannot be used: ${reasonOf(error)}`;
      this.#state = { state: 'failed', reason };
      if (!this.#closing.signal.aborted) this.#options.logger.warn(reason);
      throw failure;
    }
  }

  /** Downloads the model. Of the processes that share the folder, one downloads and the others wait for its files. */
  async #download(onDownload: () => void): Promise<void> {
    const { source, hubUrl, downloads, maxDownloadBytes: maxBytes, logger } = this.#options;
    const { signal } = this.#closing;
    const onProgress = (progress: number): void => {
      this.#state = { state: 'loading', progress };
      onDownload();
    };
    const onWait = (): void => {
      onProgress(0);
      logger.info({ model: source.name }, 'another process is downloading');
    };
    await withProcessLock({ file: join(downloads, LOCK_FILE), signal, onWait }, async () => {
      if (missingFiles(source.folder).length === 0) return;
      const log = new ProgressLog(logger, `downloading the embedding model ${source.name}`, {
        from: hubUrl,
        to: source.folder,
      });
      await downloadModel(source, {
        hubUrl,
        downloads,
        maxBytes,
        signal,
        onProgress: (progress) => {
          onProgress(progress);
          log.logProgress(progress);
        },
      });
    });
    this.#state = { state: 'loading' };
  }

  async #startProcess(): Promise<ModelProcess> {
    const { source, entry, maxWaiting = DEFAULT_MAX_WAITING } = this.#options;
    const weights = checkFolder(source.folder);
    const { process, dimensions } = await ModelProcess.start({
      entry,
      folder: source.folder,
      weights,
      maxWaiting,
      signal: this.#closing.signal,
    });
    this.#running = process;
    try {
      if (dimensions !== this.identity.dimensions) throw this.#dimensionsError(dimensions);
      this.#calibration ??= await this.#calibrate(process);
    } catch (error) {
      await process.close();
      throw error;
    }
    return process;
  }

  async #calibrate(process: ModelProcess): Promise<Calibration | undefined> {
    const { logger } = this.#options;
    const { model } = this.identity;
    const calibration = await measureCalibration((texts) => process.embed(texts, this.#closing.signal));
    if (calibration === undefined) {
      logger.warn(
        { model },
        'the embedding model does not separate related texts from unrelated ones; cosines are used unchanged',
      );
    } else {
      const relevantFrom = Number(cosineAt(calibration, MIN_RELEVANCE).toFixed(3));
      logger.info({ model, relevantFrom }, 'the embedding model is loaded and calibrated');
    }
    return calibration;
  }

  #dimensionsError(actual: number): HoldfastError {
    const { model, dimensions } = this.identity;
    return new HoldfastError(
      'CONFIGURATION',
      `MEMORY_EMBEDDING_DIMENSIONS is ${dimensions}, but the model ${model} makes vectors of ${actual} dimensions`,
    );
  }

  #toCallerError(error: unknown): HoldfastError {
    if (isHoldfastError(error) && !error.retryable) return error;
    const message = `The embedding model ${this.identity.model} cannot be used now; the log says why`;
    return embedderUnavailable(message, { retryAfterMs: this.#retryAfterMs, cause: error });
  }
}

/** Joins the message of an error with those of its causes, because a message such as `fetch failed` has no reason in it. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause !== undefined ? reasonOf(error.cause) : '';
  return cause === '' ? messageOf(error) : `${messageOf(error)}: ${cause}`;
}
