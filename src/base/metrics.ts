import type { ErrorCode } from './error-codes';

/** How an attempt at a tool call ended. `retried`: it failed, and is to be made again. */
export type AttemptOutcome = 'succeeded' | 'failed' | 'timed_out' | 'retried' | 'cancelled';

/** How the wait of a request for its run ended. `still_going`: the limit passed first. `unavailable`: no engine. */
export type WaitOutcome = 'completed' | 'failed' | 'still_going' | 'unavailable';

/** How a call of a model provider ended. `invalid`: its answer was not what was asked for. */
export type ModelOutcome = 'answered' | 'invalid' | 'timed_out' | 'unavailable' | 'failed' | 'cancelled';

/** The stores whose failures are counted. */
export const STORES = ['documents', 'memories', 'vectors', 'records', 'values'] as const;
export type StoreName = (typeof STORES)[number];

/**
 * Codes of answers that are the fault of the service or of what it stands on. Others of the class 5xx are how a tool or a
 * workflow of a caller ended.
 */
export const SERVICE_FAULTS = [
  'INTERNAL',
  'CONFIGURATION',
  'ENGINE_UNAVAILABLE',
  'STORE_UNAVAILABLE',
  'MEMORY_UNAVAILABLE',
  'EMBEDDER_UNAVAILABLE',
] as const satisfies readonly ErrorCode[];
export type ServiceFault = (typeof SERVICE_FAULTS)[number];

/** What a process is like at one moment. */
export interface ProcessFigures {
  readonly residentBytes: number;
  /** Cores used since the last sample; 1 is one core all of the time. */
  readonly cores: number;
  /** The longest that the event loop was held up since the last sample, seconds. */
  readonly loopDelaySeconds: number;
  /** How long it was held up since the last sample in all, seconds. */
  readonly heldUpSeconds: number;
}

/**
 * What the service tells of itself in figures; docs/operators/metrics.md has the names. Values of labels are few and known: route
 * patterns, names of built-in tools, types of workflows, and never a user, an id or what a caller wrote.
 */
export interface Metrics {
  /** False where nobody reads them, so that no work need be done for them. */
  readonly enabled: boolean;
  /** A request begins; what is returned is called once, when its answer is out. `route` is the pattern of its path. */
  requestBegins(): (of: { method: string; route: string; status: number; seconds: number }) => void;
  /** A request is answered with an error of the service. */
  requestFailed(fault: ServiceFault): void;
  /** A request begins to wait for a run; what is returned is called once, when the wait is over. */
  waitBegins(): (of: { workflow: string; outcome: WaitOutcome; seconds: number }) => void;
  /** `tool` is a built-in one's name, or `registered`. */
  toolAttempt(of: { tool: string; outcome: AttemptOutcome; seconds: number }): void;
  modelCall(of: { provider: string; operation: string; outcome: ModelOutcome; seconds: number }): void;
  modelTokens(of: { provider: string; kind: 'prompt' | 'completion'; tokens: number }): void;
  /** An operation could not be done because its store was away or busy. */
  storeFailed(store: StoreName): void;
  /** Whether the Temporal server answered when it was last looked at. */
  engineReachable(reachable: boolean): void;
  processFigures(figures: ProcessFigures): void;
  /** A worker that ended without having been stopped is noticed, by one process alone. */
  workerEndedAbnormally(): void;
  /** A run is ended because its workflow code did harm to workers. */
  harmfulRunEnded(): void;
}

const nothing = (): void => undefined;

/** Where nobody reads them. */
export const NO_METRICS: Metrics = {
  enabled: false,
  requestBegins: () => nothing,
  requestFailed: nothing,
  waitBegins: () => nothing,
  toolAttempt: nothing,
  modelCall: nothing,
  modelTokens: nothing,
  storeFailed: nothing,
  engineReachable: nothing,
  processFigures: nothing,
  workerEndedAbnormally: nothing,
  harmfulRunEnded: nothing,
};
