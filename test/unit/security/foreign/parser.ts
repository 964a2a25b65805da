import type { HostileInput } from './hostile-input';

/** Code that reads what another side has sent. */
export interface Parser {
  readonly name: string;
  /** What an honest side sends. The parser accepts it, so that the hostile inputs made from it reach the code behind its checks. */
  readonly sample: unknown;
  /** The documented codes of errors with which it may refuse an input; any other error fails the test. */
  readonly codes: readonly string[];
  /** Whether it gets values, which may contain themselves, and not texts. */
  readonly takesValues?: boolean;
  /** Whether the honest sample is an error of the other side, so that the parser throws for it as well. */
  readonly isFailure?: boolean;
  parse(input: Pick<HostileInput, 'text' | 'value'>): unknown;
}
