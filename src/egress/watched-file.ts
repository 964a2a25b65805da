import { readFile, stat } from 'node:fs/promises';

/** Returns the content of a file in a parsed form, as it is now. */
export type WatchedFile<T> = () => Promise<T>;

/**
 * Reads and parses a file at its first use, and again once its time of modification or its size has changed. A file that cannot be
 * read counts as an empty one.
 */
export function watchFile<T>(path: string, parse: (text: string) => T): WatchedFile<T> {
  let known: { readonly state: string; readonly value: T } | undefined;
  return async () => {
    const state = await stat(path).then(
      ({ mtimeMs, size, ino }) => `${mtimeMs} ${size} ${ino}`,
      () => 'none',
    );
    if (known?.state !== state) {
      const text = await readFile(path, 'utf8').catch(() => '');
      known = { state, value: parse(text) };
    }
    return known.value;
  };
}
