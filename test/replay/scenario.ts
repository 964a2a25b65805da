interface PostedRequest {
  /** POST by default. */
  readonly method?: 'PUT';
  readonly path: string;
  readonly body: unknown;
}

export interface Scenario {
  /** The name of the file; it begins with the workflow's type. */
  readonly name: string;
  /** A tool to register first. */
  readonly prepare?: object;
  /** A request that is sent first and answered before the next one is sent. */
  readonly before?: readonly PostedRequest[];
  /** A request that is sent first and still under way at the next one, because it asks the model. */
  readonly ahead?: PostedRequest & {
    /** The name of the file in which its own run is stored too. */
    readonly name?: string;
  };
  /** The answer to the approval that the run waits for. The approval's own run is stored too if it has a name. */
  readonly approval?: { readonly name?: string; readonly answer: object };
  /** The type of a run that a worker starts because of the request, and whose history is stored in the place of the request's own. */
  readonly started?: string;
  /** Stores the feed of the webhook in the place of the request's run, and its first delivery under this name. */
  readonly firstDelivery?: string;
  /** The name of the file in which the turn that the run calls first is stored too. */
  readonly calledTurn?: string;
  /** The name of the file in which the run of the first call, made by another worker, is stored too. */
  readonly externalCall?: string;
  /** How long the service is stopped while the tool runs, ms, so that the engine's own limit ends the tool. */
  readonly freezeMs?: number;
  /** The HTTP method; POST by default. */
  readonly method?: 'DELETE';
  /** `:id` stands for the id in the answer to the last request that is sent first, or for the `traceId` of its run. */
  readonly path: string;
  readonly body: unknown;
}

/** A run that no request starts. */
export interface StartedScenario {
  readonly name: string;
  /** A request that is sent first and answered before the run is started. */
  readonly before?: readonly PostedRequest[];
  /** The workflow's type. */
  readonly type: string;
  readonly input: object;
}

/** An import, which the API answers before the run has ended. */
export interface ImportScenario {
  readonly name: string;
  readonly rows: readonly string[];
  /** The user whose memories these are; absent: they are records. */
  readonly userId?: string;
}
