import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface TempDir {
  readonly path: string;
  remove(): void;
}

/** Sets where this process and the ones that it starts put temporary files; undefined for the system's folder. */
export function setTemporaryFolder(folder: string | undefined): void {
  if (folder === undefined) delete process.env['TMPDIR'];
  else process.env['TMPDIR'] = folder;
}

/** A separate folder for one test. */
export function makeTempDir(): TempDir {
  const path = mkdtempSync(join(tmpdir(), 'holdfast-test-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true, maxRetries: 5 }) };
}
