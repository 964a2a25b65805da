import fc from 'fast-check';

/** Codes by which the start of a run is refused for good. */
const REFUSALS = ['INTERNAL', 'PAYLOAD_TOO_LARGE', 'STORE_UNAVAILABLE'] as const;

/** One event of a session; `which` selects a turn that it happens to, counted from the last one. */
export type Command =
  | { readonly type: 'send'; readonly api: number; readonly keyed: boolean }
  /** The key and the message of an earlier request. */
  | { readonly type: 'repeat'; readonly api: number; readonly which: number }
  /** The key of an earlier request with another message. */
  | { readonly type: 'conflict'; readonly api: number; readonly which: number }
  /** Two requests with one key at the same time, each at a different API. */
  | { readonly type: 'twins'; readonly sameMessage: boolean }
  | {
      readonly type: 'refused start';
      readonly api: number;
      readonly keyed: boolean;
      readonly code: (typeof REFUSALS)[number];
    }
  /** The API does not learn whether the run was started. */
  | { readonly type: 'unknown start'; readonly keyed: boolean; readonly isStarted: boolean }
  /** The API stops, before it has started the run or after. */
  | { readonly type: 'killed API'; readonly keyed: boolean; readonly isStarted: boolean }
  | { readonly type: 'terminate' | 'cancel'; readonly which: number }
  /** The turn that works now ends. */
  | { readonly type: 'finish' };

const MIN_COMMANDS = 8;
const MAX_COMMANDS = 18;

const api = fc.nat(1);
const keyed = fc.boolean();
const isStarted = fc.boolean();
const which = fc.nat(3);

const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ type: fc.constant('send' as const), api, keyed }) },
  { weight: 5, arbitrary: fc.record({ type: fc.constant('finish' as const) }) },
  { weight: 4, arbitrary: fc.record({ type: fc.constant('repeat' as const), api, which }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('conflict' as const), api, which }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('twins' as const), sameMessage: fc.boolean() }) },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant('refused start' as const),
      api,
      keyed,
      code: fc.constantFrom(...REFUSALS),
    }),
  },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('unknown start' as const), keyed, isStarted }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('killed API' as const), keyed, isStarted }) },
  {
    weight: 2,
    arbitrary: fc.record({ type: fc.constantFrom('terminate' as const, 'cancel' as const), which }),
  },
);

/** Generates this number of sequences; the same seed gives the same ones. */
export function randomSequences(count: number, seed: number): Command[][] {
  const sequence = fc.array(command, { minLength: MIN_COMMANDS, maxLength: MAX_COMMANDS, size: 'max' });
  return fc.sample(sequence, { numRuns: count, seed });
}
