import { type DiskWatch, watchDisk } from '../src/stores/disk-watch';
import type { Part } from './process';

/** Begins to watch the disk on which this service keeps its data; one that keeps all of it elsewhere needs no room. */
export function openDisk({ config, logger, release }: Part): DiskWatch {
  const { DATA_DIR, neo4j, s3, externalTemporal } = config;
  if (neo4j !== undefined && s3 !== undefined && externalTemporal)
    return { isFull: () => false, check: () => Promise.resolve(), stop: () => undefined };
  const disk = watchDisk({ folder: DATA_DIR, setting: 'DATA_DIR', logger });
  release(() => disk.stop());
  return disk;
}
