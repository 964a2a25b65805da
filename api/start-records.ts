import type { Config } from '../src/config';
import type { Logger } from '../src/logger';
import { createApp } from './http/app';
import type { HttpServer } from './http/server';
import { listen } from './http/server';
import type { AnyRoute } from './http/route';

export interface RecordsPorts {
  readonly config: Config;
  readonly logger: Logger;
}

const INFO = {
  title: 'holdfast records',
  description: 'The record-keeping API: shipments, facilities, contaminants and inspections.',
};

/** The record-keeping API on its own port. @throws HoldfastError `CONFIGURATION` when the port cannot be had */
export async function startRecords({ config, logger }: RecordsPorts): Promise<HttpServer> {
  const routes: AnyRoute[] = [];
  const app = createApp({ config, logger, info: INFO, routes, isReady: () => true });
  return listen(app, { host: config.HOST, port: config.RECORDS_PORT, portSetting: 'RECORDS_PORT' });
}
