// Every function exported here is registered as a workflow type under its name.
export { executeTool } from './execute-tool';
export { executeToolsInParallel } from './execute-tools-in-parallel';
export { executeToolsInSequence } from './execute-tools-in-sequence';
