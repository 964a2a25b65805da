export interface EgressRequest {
  /** Absolute http or https address, without user name and password. */
  readonly url: string;
  readonly method: string;
  /** Those that belong to the connection (`host`, `content-length`, …) are refused. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer | undefined;
  /** True: a redirect to another host fails; the same one with or without `www.` is none. Default false. */
  readonly withinHost?: boolean;
  /** With `withinHost`: hosts to which a redirect may lead all the same, as `AllowedTargets.hosts` has them. */
  readonly redirectHosts?: readonly string[];
  /**
   * True: the run that sends the request carries the permission to reach private and loopback addresses. The process that
   * sends it may refuse them nevertheless. Default false.
   */
  readonly allowPrivate?: boolean;
  /** The only time limit of a request, redirects and body included. */
  readonly signal: AbortSignal;
}

export interface EgressResponse {
  readonly status: number;
  /** By lower-case name; the values of a repeated header are joined with `, `. */
  readonly headers: ReadonlyMap<string, string>;
  /** Where the response came from, after redirects and without fragment. */
  readonly url: string;
  /** The body, decompressed. */
  readonly bytes: Buffer;
  /** The body by the charset of its content type; UTF-8 where none, or an unknown one, is named. */
  text(): string;
}

/** The one way out for a request that a caller of the service asked for. */
export interface Egress {
  /**
   * Any HTTP status is a response. Throws a `TOOL_EXECUTION_FAILED` error, retryable only where the network
   * or a name server may do better later; once the signal is aborted, `TOOL_TIMEOUT` for a timeout and
   * otherwise the signal's own reason, so that whoever aborted finds what it put there.
   */
  request(request: EgressRequest): Promise<EgressResponse>;
  /** Drops idle and busy connections alike, so that closing cannot hang: drain the callers first. */
  close(): Promise<void>;
}
