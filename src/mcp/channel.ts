import type { Transport } from '@modelcontextprotocol/client';

/** The way to a server. */
export interface Channel {
  readonly transport: Transport;
  /** How long the server may take to say which revision it speaks, milliseconds; absent: as long as for a request. */
  readonly probeMs?: number;
  /** Ends what closing the transport alone would leave. */
  end(): Promise<void>;
}
