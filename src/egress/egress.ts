import type { RunOwner } from '../contracts/runs/run-owner';

export interface EgressRequest {
  /** For whom the request is sent. The names of its hosts are looked up for it. */
  readonly owner: RunOwner;
  /** An absolute http or https URL, without user name and password. */
  readonly url: string;
  readonly method: string;
  /** The headers of the request. Those of the connection (`host`, `content-length`, …) are refused. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer | undefined;
  /**
   * Whether a redirect to another host fails. The same host with or without `www.` does not count as another one. Default false.
   */
  readonly withinHost?: boolean;
  /** With `withinHost`: other hosts to which a redirect may lead, in the form of `AllowedTargets.hosts`. */
  readonly redirectHosts?: readonly string[];
  /**
   * Whether the run that sends the request has the permission to reach private and loopback addresses. The process that sends it
   * may refuse them nevertheless. Default false.
   */
  readonly allowPrivate?: boolean;
  /** Waits for room for a large body, by its bytes at most. Absent: there is no limit. */
  readonly admit?: ((bytes: number) => Promise<void>) | undefined;
  /** The only time limit of a request, including redirects and the body. */
  readonly signal: AbortSignal;
}

export interface EgressResponse {
  readonly status: number;
  /** The headers by lower-case name; the values of a repeated header are joined with `, `. */
  readonly headers: ReadonlyMap<string, string>;
  /** The URL of the response, after redirects and without fragment. */
  readonly url: string;
  /** The decompressed body. */
  readonly bytes: Buffer;
  /** Decodes the body by the charset of its content type, or as UTF-8 if the charset is absent or unknown. */
  text(): string;
}

/** The client for all requests that callers of the service ask for. */
export interface Egress {
  /**
   * Sends a request and returns the response, whatever its HTTP status is. Throws `TOOL_EXECUTION_FAILED`, which is retryable
   * only for failures of the network or a name server that may pass. Once the signal is aborted it throws `TOOL_TIMEOUT` for a
   * timeout, and otherwise the signal's reason unchanged, so that the caller recognises its own error.
   */
  request(request: EgressRequest): Promise<EgressResponse>;
  /** Closes all connections at once, also those in use, so that it cannot hang. Callers should wait for their requests first. */
  close(): Promise<void>;
}
