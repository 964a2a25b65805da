export interface WordIndexPage {
  /** The number of memories whose entries were replaced. */
  readonly renewed: number;
  /** Id of the last memory that was looked at; absent after the last one. */
  readonly after?: string;
}

/**
 * The upkeep of the index by which a graph finds words. Which words a text has depends on the build, and in some scripts on the
 * dictionaries of the process (`PARTS_VERSION`). What another one has indexed is found as it was until it is renewed.
 */
export interface WordIndexPort {
  /** Whether all memories were indexed by this version, apart from those that another build still writes. */
  isWordIndexCurrent(): Promise<boolean>;
  /**
   * Replaces the entries of those of the next memories, up to `limit`, that this version indexes differently, in the order of
   * their ids. After the last one, all are taken for indexed by this version.
   */
  renewWords(options: {
    readonly after?: string | undefined;
    readonly limit: number;
  }): Promise<WordIndexPage>;
}
