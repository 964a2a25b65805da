import type { FactSource } from '../../contracts/facts';

/** The entries of one user as they were read last. */
interface Kept {
  /** What memories say, by its sealed text, which is another one each time that it is written. */
  readonly opened: ReadonlyMap<string, FactSource>;
  readonly sources: readonly FactSource[];
  readonly characters: number;
  /** Epoch milliseconds. */
  readonly usedAt: number;
}

/** One reading of a user's entries. */
export interface SourcesReading {
  /** Opens an entry, or takes what it was opened to before. */
  open(sealed: string): FactSource;
  /** Ends the reading. @returns what was opened, as the same array if all of it was opened before and nothing was removed */
  end(): readonly FactSource[];
}

/**
 * What was opened of the entries of the users who were in use last. Opening takes most of the time of a reading, and a user may have
 * thousands of entries, which every search and every turn reads.
 */
export interface KeptSources {
  /** Begins a reading of the entries of an owner, which is a pseudonym. @param open opens an entry */
  read(owner: string, open: (sealed: string) => FactSource): SourcesReading;
  /** Drops what was opened of an owner. */
  forget(owner: string): void;
}

/** Maximum length of all sealed texts together, characters; what is kept takes about three times as many bytes. */
const MAX_CHARACTERS = 16_000_000;
/** What was not read for this long is dropped at the next reading of any user, milliseconds. */
const KEPT_FOR_MS = 600_000;

/** @param now epoch milliseconds */
export function createKeptSources(now: () => number = Date.now, maxCharacters = MAX_CHARACTERS): KeptSources {
  /** Those that were read last come last. */
  const sources = new Map<string, Kept>();
  let characters = 0;

  function forget(owner: string): void {
    characters -= sources.get(owner)?.characters ?? 0;
    sources.delete(owner);
  }

  function keep(owner: string, one: Kept): void {
    forget(owner);
    sources.set(owner, one);
    characters += one.characters;
    for (const [oldest, { usedAt }] of sources) {
      if (characters <= maxCharacters && one.usedAt - usedAt < KEPT_FOR_MS) return;
      forget(oldest);
    }
  }

  return {
    forget,
    read(owner, openNew) {
      const before = sources.get(owner);
      const opened = new Map<string, FactSource>();
      let length = 0;
      let isSame = true;
      return {
        open(sealed) {
          const known = before?.opened.get(sealed);
          const source = known ?? openNew(sealed);
          isSame &&= known !== undefined;
          length += sealed.length;
          opened.set(sealed, source);
          return source;
        },
        end() {
          const usedAt = now();
          if (before !== undefined && isSame && opened.size === before.opened.size) {
            keep(owner, { ...before, usedAt });
            return before.sources;
          }
          const sources = [...opened.values()];
          if (sources.length === 0) forget(owner);
          else keep(owner, { opened, sources, characters: length, usedAt });
          return sources;
        },
      };
    },
  };
}
