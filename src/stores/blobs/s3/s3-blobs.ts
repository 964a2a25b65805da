import type { Readable } from 'node:stream';
import type { BlobInfo, BlobStore } from '../blob-store';
import { checkBlobKey, isBlobKey } from '../keys';
import { isPastEnd, isMissing, toConfigurationError } from './errors';
import { putParts } from './parts';
import { S3Requests } from './requests';
import type { S3Settings } from './settings';

/** The maximum of concurrent removals of one process. */
const MAX_CONCURRENT_REMOVALS = 8;
/** The maximum size of a blob that is read completely, bytes. */
const MAX_BYTES = 64 * 1_048_576;
/** The maximum size of one response of a list, bytes. */
const PAGE_BYTES = 1_048_576;

/** Blobs as objects of a bucket of S3, or of a server with the same API. */
export class S3Blobs implements BlobStore {
  readonly kind = 's3';
  readonly #bucket: string;
  readonly #prefix: string;
  readonly #requests: S3Requests;

  constructor(settings: S3Settings) {
    this.#bucket = settings.bucket;
    this.#prefix = settings.prefix;
    this.#requests = new S3Requests(settings);
  }

  async ping(): Promise<void> {
    const parameters = { Bucket: this.#bucket, Prefix: this.#prefix, MaxKeys: 1 };
    await this.#requests.run(async ({ sdk, client, signal }) => {
      try {
        await client.send(new sdk.ListObjectsV2Command(parameters), { abortSignal: signal });
      } catch (error) {
        throw toConfigurationError(error) ?? error;
      }
    });
  }

  async put(key: string, data: Uint8Array, signal?: AbortSignal): Promise<void> {
    const input = { ...this.#object(key), Body: data, ContentLength: data.length };
    await this.#requests.run(
      (attempt) =>
        attempt.client.send(new attempt.sdk.PutObjectCommand(input), { abortSignal: attempt.signal }),
      { bytes: data.length, signal },
    );
  }

  async putStream(key: string, chunks: AsyncIterable<Uint8Array>): Promise<void> {
    await putParts(this.#requests, this.#object(key), chunks, (whole) => this.put(key, whole));
  }

  async get(key: string, signal?: AbortSignal): Promise<Buffer | undefined> {
    return this.#read(key, {}, signal);
  }

  async getRange(key: string, offset: number, length: number): Promise<Buffer | undefined> {
    return this.#read(key, { Range: `bytes=${offset}-${offset + length - 1}` });
  }

  async move(from: string, to: string): Promise<void> {
    const source = this.#object(from);
    const input = { ...this.#object(to), CopySource: `${source.Bucket}/${encodeURI(source.Key)}` };
    await this.#requests.run(
      ({ sdk, client, signal }) => client.send(new sdk.CopyObjectCommand(input), { abortSignal: signal }),
      { isSlow: true },
    );
    await this.remove(from);
  }

  async *list(folder: string): AsyncGenerator<BlobInfo> {
    const parameters = { Bucket: this.#bucket, Prefix: `${this.#prefix}${checkBlobKey(folder)}/` };
    let from: string | undefined;
    do {
      const token = from;
      const page = await this.#requests.run(
        ({ sdk, client, signal }) =>
          client.send(new sdk.ListObjectsV2Command({ ...parameters, ContinuationToken: token }), {
            abortSignal: signal,
          }),
        { bytes: PAGE_BYTES },
      );
      for (const { Key, Size = 0, LastModified } of page.Contents ?? []) {
        const key = Key?.slice(this.#prefix.length);
        if (key === undefined || !isBlobKey(key)) continue;
        yield { key, bytes: Size, modifiedAt: LastModified?.getTime() ?? Date.now() };
      }
      from = page.IsTruncated === true ? page.NextContinuationToken : undefined;
    } while (from !== undefined);
  }

  async remove(key: string): Promise<void> {
    const object = this.#object(key);
    await this.#requests.run(({ sdk, client, signal }) =>
      client.send(new sdk.DeleteObjectCommand(object), { abortSignal: signal }),
    );
  }

  async removeFolder(folder: string): Promise<void> {
    // Each object is removed by a separate request, because not every server can remove several by one.
    let batch: Promise<void>[] = [];
    for await (const { key } of this.list(folder)) {
      batch.push(this.remove(key));
      if (batch.length < MAX_CONCURRENT_REMOVALS) continue;
      await Promise.all(batch);
      batch = [];
    }
    await Promise.all(batch);
  }

  async removeDrafts(folder: string, before: number): Promise<number> {
    const parameters = { Bucket: this.#bucket, Prefix: `${this.#prefix}${checkBlobKey(folder)}/` };
    const { Uploads = [] } = await this.#requests.run(({ sdk, client, signal }) =>
      client.send(new sdk.ListMultipartUploadsCommand(parameters), { abortSignal: signal }),
    );
    const old = Uploads.filter(({ Initiated }) => Initiated !== undefined && Initiated.getTime() < before);
    for (const { Key, UploadId } of old) {
      const upload = { Bucket: this.#bucket, Key, UploadId };
      await this.#requests.run(({ sdk, client, signal }) =>
        client.send(new sdk.AbortMultipartUploadCommand(upload), { abortSignal: signal }),
      );
    }
    return old.length;
  }

  async close(): Promise<void> {
    await this.#requests.close();
  }

  #object(key: string): { readonly Bucket: string; readonly Key: string } {
    return { Bucket: this.#bucket, Key: this.#prefix + checkBlobKey(key) };
  }

  #read(key: string, range: { readonly Range?: string }, caller?: AbortSignal): Promise<Buffer | undefined> {
    const input = { ...this.#object(key), ...range };
    return this.#requests.run(
      async ({ sdk, client, signal, keepAlive }) => {
        try {
          const { Body } = await client.send(new sdk.GetObjectCommand(input), { abortSignal: signal });
          return Body === undefined ? Buffer.alloc(0) : await readAll(Body as Readable, signal, keepAlive);
        } catch (error) {
          if (isMissing(error)) return undefined;
          if (isPastEnd(error)) return Buffer.alloc(0);
          throw error;
        }
      },
      { answerBytes: MAX_BYTES, signal: caller },
    );
  }
}

/** Reads a response completely. It ends the stream at an abort, because the SDK does not always end a response in progress. */
async function readAll(body: Readable, signal: AbortSignal, keepAlive: () => void): Promise<Buffer> {
  const end = (): void => void body.destroy(signal.reason as Error);
  signal.addEventListener('abort', end, { once: true });
  try {
    const chunks: Buffer[] = [];
    for await (const chunk of body) {
      chunks.push(chunk as Buffer);
      keepAlive();
    }
    return Buffer.concat(chunks);
  } finally {
    signal.removeEventListener('abort', end);
  }
}
