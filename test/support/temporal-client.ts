import { Client, Connection } from '@temporalio/client';
import { sharedTemporal } from './service';

export interface TestClient {
  readonly client: Client;
  close(): Promise<void>;
}

/** A client of the shared Temporal server (or of `address`) that looks at runs from outside. */
export async function connectTemporal(address: string = sharedTemporal()): Promise<TestClient> {
  const connection = await Connection.connect({ address });
  return { client: new Client({ connection }), close: () => connection.close() };
}
