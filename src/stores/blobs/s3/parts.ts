import type { CompletedPart } from '@aws-sdk/client-s3';
import type { S3Requests } from './requests';

interface Target {
  readonly Bucket: string;
  readonly Key: string;
}

/**
 * The size of a part, and of the data that is kept in memory. S3 allows at most 10,000 parts, all of which except the last must
 * have at least 5 MiB.
 */
const PART_BYTES = 8 * 1_048_576;

/**
 * Stores a stream as one object, part by part. Data that fits into one part is passed to `putWhole`. If `chunks` throws, it
 * stores nothing and throws that error.
 */
export async function putParts(
  requests: S3Requests,
  target: Target,
  chunks: AsyncIterable<Uint8Array>,
  putWhole: (data: Uint8Array) => Promise<void>,
): Promise<void> {
  const parts = splitIntoParts(chunks);
  const first = await parts.next();
  const second = await parts.next();
  if (second.done === true) return putWhole(first.done === true ? Buffer.alloc(0) : first.value);
  const { UploadId } = await requests.run(({ sdk, client, signal }) =>
    client.send(new sdk.CreateMultipartUploadCommand(target), { abortSignal: signal }),
  );
  const upload = { ...target, UploadId };
  const done: CompletedPart[] = [];
  const putPart = async (data: Uint8Array): Promise<void> => {
    const PartNumber = done.length + 1;
    const input = { ...upload, PartNumber, Body: data, ContentLength: data.length };
    const { ETag } = await requests.run(
      ({ sdk, client, signal }) => client.send(new sdk.UploadPartCommand(input), { abortSignal: signal }),
      { bytes: data.length },
    );
    done.push({ PartNumber, ETag });
  };
  try {
    if (first.done !== true) await putPart(first.value);
    await putPart(second.value);
    for await (const part of parts) await putPart(part);
    await requests.run(
      ({ sdk, client, signal }) =>
        client.send(new sdk.CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts: done } }), {
          abortSignal: signal,
        }),
      { isSlow: true },
    );
  } catch (error) {
    // If this fails too, `removeDrafts` removes the upload later.
    await requests
      .run(({ sdk, client, signal }) =>
        client.send(new sdk.AbortMultipartUploadCommand(upload), { abortSignal: signal }),
      )
      .catch(() => undefined);
    throw error;
  }
}

/** Splits a stream into parts of one size, of which the last may be shorter. An empty stream has no parts. */
async function* splitIntoParts(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer, undefined> {
  let held: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    held.push(chunk);
    bytes += chunk.length;
    if (bytes < PART_BYTES) continue;
    const all = Buffer.concat(held);
    let begin = 0;
    for (; all.length - begin >= PART_BYTES; begin += PART_BYTES)
      yield all.subarray(begin, begin + PART_BYTES);
    held = [all.subarray(begin)];
    bytes = all.length - begin;
  }
  if (bytes > 0) yield Buffer.concat(held);
  return undefined;
}
