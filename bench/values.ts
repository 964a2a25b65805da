import { rm } from 'node:fs/promises';
import type { Config } from '../src/settings/config';
import type { BlobStore } from '../src/stores/blobs/blob-store';
import { FolderBlobs } from '../src/stores/blobs/folder-blobs';
import { S3Blobs } from '../src/stores/blobs/s3/s3-blobs';
import { createValueDrivers } from '../temporal/payloads/stored-values';
import { median } from './statistics';
import { makeBenchFolder } from './unwinding';

const BYTES = 100_000;
const VALUES = 200;
const WARM_UP = 20;

/** Medians, ms. */
interface ValueCost {
  readonly storeMs: number;
  readonly retrieveMs: number;
}

export interface ValuesReport {
  readonly folder: ValueCost;
  /** Present if a bucket is configured. */
  readonly s3?: ValueCost;
}

/** Measures storing and reading values of 100 kB, one after another, each for a different run. */
export async function benchValues({ s3 }: Config): Promise<ValuesReport> {
  const folder = makeBenchFolder();
  const bucket = s3 && new S3Blobs({ ...s3, prefix: `${s3.prefix}bench-${Date.now()}/` });
  try {
    return {
      folder: await measure(new FolderBlobs(folder)),
      ...(bucket === undefined ? {} : { s3: await measure(bucket) }),
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
    await bucket?.removeFolder('payloads');
    await bucket?.close();
  }
}

async function measure(blobs: BlobStore): Promise<ValueCost> {
  const [driver] = createValueDrivers(blobs, () => 'bench');
  const store: number[] = [];
  const retrieve: number[] = [];
  for (let n = 0; n < WARM_UP + VALUES; n += 1) {
    const id = `run-${n}`;
    const data = Buffer.alloc(BYTES, id);
    const target = { kind: 'workflow', namespace: 'bench', id } as const;
    const began = performance.now();
    const claims = await driver.store({ target }, [{ data }]);
    const stored = performance.now();
    await driver.retrieve({}, claims);
    if (n < WARM_UP) continue;
    store.push(stored - began);
    retrieve.push(performance.now() - stored);
  }
  return { storeMs: round(median(store)), retrieveMs: round(median(retrieve)) };
}

const round = (milliseconds: number): number => Math.round(milliseconds * 100) / 100;

export function printValues({ folder, s3 }: ValuesReport): void {
  const line = (name: string, { storeMs, retrieveMs }: ValueCost): void =>
    console.log(
      `${name}: a value of ${BYTES} bytes stored in ${storeMs} ms, read in ${retrieveMs} ms (median of ${VALUES})`,
    );
  line('folder', folder);
  if (s3 === undefined) console.log('s3: set S3_BUCKET to measure a bucket');
  else line('s3', s3);
}
