/** A turn as the test knows it, by the id of its run. */
export interface Turn {
  readonly workflowId: string;
  readonly key?: string;
  readonly message: string;
  /** It has, or had, a place. */
  isPlaced: boolean;
  /** It was asked for with two messages. */
  hasRivals: boolean;
  /** The engine has its run. */
  isStarted: boolean;
  hasBegun: boolean;
  end?: 'finished' | 'terminate' | 'cancel';
}

/** What requests for a turn are answered with, given what became of it. */
export function answer({ end, message }: Turn): string {
  return end === 'finished' ? `answer to ${message}` : 'RUN_CANCELLED';
}

/** Of two requests with one key and two messages one has the run. */
export function rival(...messages: readonly string[]) {
  return ({ end }: Turn): string =>
    [
      'RUN_CONFLICT',
      ...(end === 'finished' ? messages.map((message) => `answer to ${message}`) : ['RUN_CANCELLED']),
    ].join(' | ');
}
