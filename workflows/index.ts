// Every function exported here is registered as a workflow type under its name.
export { executeTool } from './execute-tool';
export { executeToolsInParallel } from './execute-tools-in-parallel';
export { executeToolsInSequence } from './execute-tools-in-sequence';
export { executeToolFromQuery } from './execute-tool-from-query';
export { mcpExecution } from './mcp-execution';
export { queryWorkflow } from './query-workflow';
export { customWorkflow } from './custom-workflow';
