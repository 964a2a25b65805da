import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { InternalConnectionOptionsSymbol } from '@temporalio/client/lib/connection';
import { toMs } from '../../temporal/proto-time';
import { freePort } from './free-port';
import { createJavaServer } from './java-server';

/** `describe`, skipped if the server cannot be started, except in CI. It needs Java and Maven, as Neo4j does. */
export const describeWithSkippedTime =
  process.env['HOLDFAST_TEST_NEO4J_LACKS'] === undefined ? describe : describe.skip;

/** Covers the first start on a machine, when Maven fetches the server. */
export const SKIPPED_TIME_WAIT_MS = 300_000;

/**
 * Temporal's test server. Its clock goes on to the next timer whenever runs wait for timers alone. It lists no runs and has no search
 * attributes.
 */
export interface TimeSkippingServer {
  readonly address: string;
  readonly client: Client;
  /** The time of the server, epoch milliseconds. */
  now(): Promise<number>;
  stop(): Promise<void>;
}

export async function startTimeSkippingServer(): Promise<TimeSkippingServer> {
  const port = await freePort();
  const server = await createJavaServer({
    name: 'time-skipping',
    folder: join(__dirname, 'time-skipping'),
    megabytes: 256,
    args: [String(port)],
    secret: '',
  });
  await server.start();
  const address = `127.0.0.1:${port}`;
  const options = { address, [InternalConnectionOptionsSymbol]: { supportsTestService: true } };
  const connection = await Connection.connect(options);
  return {
    address,
    client: new Client({ connection }),
    async now() {
      if (connection.testService === undefined) throw new Error('the server does not say its time');
      const { time } = await connection.testService.getCurrentTime({});
      return toMs(time);
    },
    async stop() {
      await connection.close();
      await server.end();
    },
  };
}
