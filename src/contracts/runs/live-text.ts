/** A part of a text that a model is making, in the heartbeats of its activity. */
export interface LiveText {
  /** The server keeps the heartbeats of an attempt for the next one, which has a text of its own. */
  readonly attempt: number;
  /** Where the part begins in the text, in UTF-16 code units. */
  readonly offset: number;
  readonly text: string;
}
