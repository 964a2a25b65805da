export type { AgentCalls, AgentRequest, ChatPart } from './agent.js';
export {
  type ApprovalAnswer,
  type ClientOptions,
  createClient,
  createRecordsClient,
  type Finished,
  type HoldfastClient,
} from './create-client.js';
export { HoldfastApiError, HoldfastRunError } from './errors.js';
export type { FileCalls, NewFile, StoredFile } from './files.js';
export type { Fetch } from './retrying-fetch.js';
export type { FollowOptions, RunHandle, RunName, WaitOptions } from './run.js';
export type {
  AcceptedRun,
  AgentAnswer,
  Answer,
  ApiPaths,
  CallOptions,
  ErrorBody,
  Operations,
  RecordsPaths,
  RecordsSchemas,
  Run,
  RunEvent,
  RunSign,
  Schemas,
  WorkflowDefinition,
  WorkflowStep,
} from './types.js';
