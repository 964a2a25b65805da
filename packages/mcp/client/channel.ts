import type { Transport } from '@modelcontextprotocol/client';

/** The way to a server. */
export interface Channel {
  readonly transport: Transport;
  /** Ends what closing the transport alone would leave, in a few seconds whatever the server does. */
  end(): Promise<void>;
}
