/** A turn as the test knows it, by the id of its run. */
export interface Turn {
  readonly workflowId: string;
  readonly key?: string;
  readonly message: string;
  /** Whether it has or had a place. */
  isPlaced: boolean;
  /** Whether it was requested with two different messages. */
  hasRivals: boolean;
  /** Whether the engine has its run. */
  isStarted: boolean;
  hasBegun: boolean;
  end?: 'finished' | 'terminate' | 'cancel';
}

/** The possible answers to requests for a turn, given its state. */
export function answer({ end, message }: Turn): string {
  return end === 'finished' ? `answer to ${message}` : 'RUN_CANCELLED';
}

/** One of two requests with one key and two messages has the run. */
export function rival(...messages: readonly string[]) {
  return ({ end }: Turn): string =>
    [
      'RUN_CONFLICT',
      ...(end === 'finished' ? messages.map((message) => `answer to ${message}`) : ['RUN_CANCELLED']),
    ].join(' | ');
}
