import { join } from 'node:path';
import { HoldfastError, isHoldfastError } from '../../base/errors';
import { reasonOf } from '../reason';
import type { Logger } from '../../base/logger';
import { untilAborted } from '../../base/async/until-aborted';
import { withProcessLock } from '../../base/process-lock';
import { applyCalibration, cosineAt, measureCalibration, type Calibration } from '../calibration';
import type { Embedder, EmbedderIdentity, EmbedderState } from '../embedder';
import { unavailable } from '../unavailable';
import { downloadModel } from './download';
import { ModelProcess } from './model-process';
import { checkFolder, missingFiles, type ModelSource } from './model-source';
import { ProgressLog } from './progress-log';

export interface TransformersOptions {
  readonly source: ModelSource;
  /** What the vectors of the model have to have. */
  readonly dimensions: number;
  /** Base address that models are downloaded from. */
  readonly hubUrl: string;
  /** Folder that they are kept in. */
  readonly downloads: string;
  /** The most that a model which is downloaded may have, bytes. */
  readonly maxDownloadBytes: number;
  /** Compiled file of the model's process. */
  readonly entry: string;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
  /** Most texts that may wait. Default 1,000. */
  readonly maxWaiting?: number;
  /** Milliseconds after a failed load from which a request starts another. Default 30,000. */
  readonly retryAfterMs?: number;
}

const DEFAULT_MAX_WAITING = 1_000;
const DEFAULT_RETRY_AFTER_MS = 30_000;
/** In the folder of the models; no model is called so. */
const LOCK_FILE = '.download.lock';
/** The similarity from which something is relevant, with every model. */
const RELEVANT = 0.7;

/**
 * A sentence-embedding model run by transformers.js. Loading begins at once and in the background; after a crash, or some
 * time after a failed load, the next request begins it again.
 */
export class TransformersEmbedder implements Embedder {
  readonly identity: EmbedderIdentity;
  private readonly retryAfterMs: number;
  private readonly closing = new AbortController();
  private state: EmbedderState = { state: 'loading' };
  private failure: { readonly error: HoldfastError; readonly atMs: number } | undefined;
  private model: Promise<ModelProcess>;
  /** Settles when it is known whether to wait: the model is loaded, has failed, or is being downloaded. */
  private decided: Promise<unknown>;
  private running: ModelProcess | undefined;
  private calibration: Calibration | undefined;

  constructor(private readonly options: TransformersOptions) {
    const { source, dimensions } = options;
    this.identity = { provider: 'transformers', model: source.name, dimensions };
    this.retryAfterMs = options.retryAfterMs ?? DEFAULT_RETRY_AFTER_MS;
    ({ model: this.model, decided: this.decided } = this.begin());
  }

  status(): EmbedderState {
    const lost = this.lost();
    return lost === undefined ? this.state : { state: 'failed', reason: reasonOf(lost) };
  }

  async ready(signal?: AbortSignal): Promise<void> {
    await this.usable(signal);
  }

  async embed(texts: readonly string[], signal?: AbortSignal): Promise<Float32Array[]> {
    const process = await this.usable(signal);
    return process.embed(texts, signal);
  }

  /** Without a calibration the cosine itself, which is honest about a model that tells nothing apart. */
  similarity(cosine: number): number {
    if (this.calibration !== undefined) return applyCalibration(this.calibration, cosine);
    return Math.min(Math.max(cosine, 0), 1);
  }

  relevance(cosine: number): number {
    return this.similarity(cosine);
  }

  async close(): Promise<void> {
    this.closing.abort(unavailable('The embedder is closed'));
    await this.model.catch(() => undefined);
    await this.running?.close();
  }

  private async usable(signal?: AbortSignal): Promise<ModelProcess> {
    signal?.throwIfAborted();
    this.closing.signal.throwIfAborted();
    if (this.isToBeLoadedAgain()) ({ model: this.model, decided: this.decided } = this.begin());
    await (signal === undefined ? this.decided : untilAborted(this.decided, signal));
    if (this.state.state === 'loading' && this.state.progress !== undefined) {
      const percent = Math.floor(this.state.progress * 100);
      throw unavailable(`The embedding model ${this.identity.model} is being downloaded (${percent} %)`);
    }
    return signal === undefined ? this.model : untilAborted(this.model, signal);
  }

  private isToBeLoadedAgain(): boolean {
    if (this.failure !== undefined) {
      const { error, atMs } = this.failure;
      return error.retryable && performance.now() - atMs >= this.retryAfterMs;
    }
    return this.lost() !== undefined;
  }

  /** Why a process that was in use has ended. One that ends while it is loaded is a failed load. */
  private lost(): Error | undefined {
    return this.state.state === 'ready' ? this.running?.ended : undefined;
  }

  private begin(): { model: Promise<ModelProcess>; decided: Promise<unknown> } {
    const lost = this.lost();
    if (lost !== undefined) this.options.logger.warn(`${reasonOf(lost)}; the model is loaded again`);
    this.failure = undefined;
    this.running = undefined;
    this.state = { state: 'loading' };
    let onDownload: () => void = () => undefined;
    const downloading = new Promise<void>((resolve) => (onDownload = resolve));
    const model = this.load(onDownload);
    const decided = Promise.race([downloading, model]);
    // Who asks for a vector is told, and `status` says it.
    decided.catch(() => undefined);
    return { model, decided };
  }

  private async load(onDownload: () => void): Promise<ModelProcess> {
    try {
      const { isOnHub, folder } = this.options.source;
      if (isOnHub && missingFiles(folder).length > 0) await this.download(onDownload);
      const process = await this.startProcess();
      this.state = { state: 'ready' };
      return process;
    } catch (error) {
      const failure = this.explain(error);
      this.failure = { error: failure, atMs: performance.now() };
      const reason = `The embedding model ${this.identity.model} cannot be used: ${reasonOf(error)}`;
      this.state = { state: 'failed', reason };
      if (!this.closing.signal.aborted) this.options.logger.warn(reason);
      throw failure;
    }
  }

  /** One process of those on the folder downloads at a time. The others wait, and then have what it brought. */
  private async download(onDownload: () => void): Promise<void> {
    const { source, hubUrl, downloads, maxDownloadBytes: maxBytes, logger } = this.options;
    const { signal } = this.closing;
    const onProgress = (progress: number): void => {
      this.state = { state: 'loading', progress };
      onDownload();
    };
    const onWait = (): void => {
      onProgress(0);
      logger.info({ model: source.name }, 'another process is downloading');
    };
    await withProcessLock({ file: join(downloads, LOCK_FILE), signal, onWait }, async () => {
      if (missingFiles(source.folder).length === 0) return;
      const log = new ProgressLog(logger, `downloading the embedding model ${source.name}`);
      log.begin({ from: hubUrl, to: source.folder });
      await downloadModel(source, {
        hubUrl,
        downloads,
        maxBytes,
        signal,
        onProgress: (progress) => {
          onProgress(progress);
          log.reach(progress);
        },
      });
    });
    this.state = { state: 'loading' };
  }

  private async startProcess(): Promise<ModelProcess> {
    const { source, entry, maxWaiting = DEFAULT_MAX_WAITING } = this.options;
    const weights = checkFolder(source.folder);
    const { process, dimensions } = await ModelProcess.start({
      entry,
      folder: source.folder,
      weights,
      maxWaiting,
      signal: this.closing.signal,
    });
    this.running = process;
    try {
      if (dimensions !== this.identity.dimensions) throw this.wrongDimensions(dimensions);
      this.calibration ??= await this.calibrate(process);
    } catch (error) {
      await process.close();
      throw error;
    }
    return process;
  }

  private async calibrate(process: ModelProcess): Promise<Calibration | undefined> {
    const { logger } = this.options;
    const { model } = this.identity;
    const calibration = await measureCalibration((texts) => process.embed(texts, this.closing.signal));
    if (calibration === undefined) {
      logger.warn(
        { model },
        'the embedding model does not tell related texts from unrelated ones; cosines are used as they are',
      );
    } else {
      const relevantFrom = Number(cosineAt(calibration, RELEVANT).toFixed(3));
      logger.info({ model, relevantFrom }, 'the embedding model is loaded and calibrated');
    }
    return calibration;
  }

  private wrongDimensions(actual: number): HoldfastError {
    const { model, dimensions } = this.identity;
    return new HoldfastError(
      'CONFIGURATION',
      `MEMORY_EMBEDDING_DIMENSIONS is ${dimensions}, but the model ${model} makes vectors of ${actual} dimensions`,
    );
  }

  private explain(error: unknown): HoldfastError {
    if (isHoldfastError(error) && !error.retryable) return error;
    const message = `The embedding model ${this.identity.model} cannot be used now; the log says why`;
    return unavailable(message, { retryAfterMs: this.retryAfterMs, cause: error });
  }
}
