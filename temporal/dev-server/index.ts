export { findTemporalCli } from './find-cli';
export { startDevServer } from './start-dev-server';
export type {
  DevServer,
  DevServerExit,
  DevServerLogger,
  DevServerOptions,
  SearchAttributeType,
} from './options';
