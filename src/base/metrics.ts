import type { ErrorCode } from './error-codes';

/** How an attempt at a tool call ended. `retried`: it failed, and another attempt follows. */
export type AttemptOutcome = 'succeeded' | 'failed' | 'timed_out' | 'retried' | 'cancelled';

/**
 * How the wait of a request for its run ended. `still_going`: at its limit. `unavailable`: Temporal could not be
 * reached.
 */
export type WaitOutcome = 'completed' | 'failed' | 'paused' | 'still_going' | 'unavailable';

/** How a call of a model provider ended. `invalid`: its response did not have the requested form. */
export type ModelOutcome = 'answered' | 'invalid' | 'timed_out' | 'unavailable' | 'failed' | 'cancelled';

/** The stores whose failures are counted. */
export const STORES = ['documents', 'memories', 'vectors', 'records', 'values'] as const;
export type StoreName = (typeof STORES)[number];

/**
 * Codes of responses that are a fault of the service or of its stores and models. Other responses of the class 5xx
 * report how a tool or a workflow of a caller ended.
 */
export const SERVICE_FAULTS = [
  'INTERNAL',
  'CONFIGURATION',
  'ENGINE_UNAVAILABLE',
  'STORE_UNAVAILABLE',
  'MEMORY_UNAVAILABLE',
  'EMBEDDER_UNAVAILABLE',
  'KEYS_UNAVAILABLE',
] as const satisfies readonly ErrorCode[];
export type ServiceFault = (typeof SERVICE_FAULTS)[number];

/** One sample of a process. */
export interface ProcessFigures {
  readonly residentBytes: number;
  /** Mean number of cores in use since the last sample. */
  readonly cores: number;
  /** The longest delay of the event loop since the last sample, seconds. */
  readonly loopDelaySeconds: number;
  /** The sum of the delays of the event loop since the last sample, seconds. */
  readonly heldUpSeconds: number;
}

/**
 * The port for metrics; docs/operators/metrics.md has their names. Values of labels are few and known beforehand: route
 * patterns, names of built-in tools, types of workflows, and never a user, an id or a text from a caller.
 */
export interface Metrics {
  /** False if no process reads the metrics, so that none need be collected. */
  readonly enabled: boolean;
  /**
   * Counts a request that begins. The caller calls the returned function once, when the response is sent. `route`: its
   * pattern.
   */
  requestBegins(): (of: { method: string; route: string; status: number; seconds: number }) => void;
  /** Counts a request that is answered with a fault of the service. */
  requestFailed(fault: ServiceFault): void;
  /**
   * Counts a request that begins to wait for a run. The caller calls the returned function once, when the wait is over.
   */
  waitBegins(): (of: { workflow: string; outcome: WaitOutcome; seconds: number }) => void;
  /** Counts an attempt at a tool call. `tool` is the name of a built-in tool, or `registered`. */
  toolAttempt(of: { tool: string; outcome: AttemptOutcome; seconds: number }): void;
  modelCall(of: { provider: string; operation: string; outcome: ModelOutcome; seconds: number }): void;
  modelTokens(of: { provider: string; kind: 'prompt' | 'completion'; tokens: number }): void;
  /** Counts a step of a turn that was made without its model: `by` rules, quotes or nothing. */
  modelReplaced(of: { step: string; by: string }): void;
  /** Counts facts of a model: `drawn`, or why they were dropped (`REFUSALS` of their check). */
  modelFacts(of: { outcome: string; facts: number }): void;
  /** Counts an operation that failed because its store was unavailable or busy. */
  storeFailed(store: StoreName): void;
  /** Sets whether the Temporal server answered the last check. */
  engineReachable(reachable: boolean): void;
  processFigures(figures: ProcessFigures): void;
  /** Counts a worker that ended without being stopped. Only one process calls this for each. */
  workerEndedAbnormally(): void;
  /** Counts a run that is terminated because its workflow code harmed workers. */
  harmfulRunEnded(): void;
}

const nothing = (): void => undefined;

/** The metrics of a process whose metrics no other process reads. */
export const NO_METRICS: Metrics = {
  enabled: false,
  requestBegins: () => nothing,
  requestFailed: nothing,
  waitBegins: () => nothing,
  toolAttempt: nothing,
  modelCall: nothing,
  modelTokens: nothing,
  modelReplaced: nothing,
  modelFacts: nothing,
  storeFailed: nothing,
  engineReachable: nothing,
  processFigures: nothing,
  workerEndedAbnormally: nothing,
  harmfulRunEnded: nothing,
};
