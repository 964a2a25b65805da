interface PostedRequest {
  readonly path: string;
  readonly body: unknown;
}

export interface Scenario {
  /** Of the file; begins with the workflow's type. */
  readonly name: string;
  /** A tool to register first. */
  readonly prepare?: { readonly name: string; readonly parameters: object; readonly execute: string };
  /** Posted first, and waited for. */
  readonly before?: readonly PostedRequest[];
  /** Posted first, and under way when the request itself is sent: it asks the model. */
  readonly ahead?: PostedRequest & {
    /** Of the file that its own run is kept in too. */
    readonly name?: string;
  };
  /** Stops the service for so long while the tool runs, milliseconds, so that the engine's own limit ends it. */
  readonly freezeMs?: number;
  /** Default POST. */
  readonly method?: 'DELETE';
  readonly path: string;
  readonly body: unknown;
}

/** An import, whose answer comes before the end of its run. */
export interface ImportScenario {
  readonly name: string;
  readonly rows: readonly string[];
}
