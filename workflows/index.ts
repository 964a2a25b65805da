/* eslint-disable @typescript-eslint/no-require-imports, no-restricted-globals -- resolved inside the bundle; loaded by the call, see below */
import { setWorkflowOptions, workflowInfo } from '@temporalio/workflow';
import type * as agentSelfTests from './agent-self-test';
import type * as agentTurns from './agent-turn';
import type * as chatTurns from './memory-chat-turn';
import type * as batchClassifications from './classify-batch';
import type * as customWorkflows from './custom-workflow';
import type * as erasures from './erase-user-memories';
import type * as singleTools from './execute-tool';
import type * as toolsFromQueries from './execute-tool-from-query';
import type * as parallelTools from './execute-tools-in-parallel';
import type * as toolSequences from './execute-tools-in-sequence';
import type * as imports from './import-records';
import type * as mcpExecutions from './mcp-execution';
import type * as queryWorkflows from './query-workflow';
import type * as reindexings from './reindex-memories';

// Every function exported here is registered as a workflow type under its name. Each run evaluates the modules of its
// workflow anew, so every workflow loads its own and no other's: with all of them loaded, a run of one tool took 6 to 14 %
// more CPU.

export const executeTool: typeof singleTools.executeTool = (input) =>
  (require('./execute-tool') as typeof singleTools).executeTool(input);

export const executeToolsInParallel: typeof parallelTools.executeToolsInParallel = (input) =>
  (require('./execute-tools-in-parallel') as typeof parallelTools).executeToolsInParallel(input);

export const executeToolsInSequence: typeof toolSequences.executeToolsInSequence = (input) =>
  (require('./execute-tools-in-sequence') as typeof toolSequences).executeToolsInSequence(input);

export const executeToolFromQuery: typeof toolsFromQueries.executeToolFromQuery = (input) =>
  (require('./execute-tool-from-query') as typeof toolsFromQueries).executeToolFromQuery(input);

export const mcpExecution: typeof mcpExecutions.mcpExecution = (input) =>
  (require('./mcp-execution') as typeof mcpExecutions).mcpExecution(input);

export const queryWorkflow: typeof queryWorkflows.queryWorkflow = (input) =>
  (require('./query-workflow') as typeof queryWorkflows).queryWorkflow(input);

export const customWorkflow: typeof customWorkflows.customWorkflow = (input) =>
  (require('./custom-workflow') as typeof customWorkflows).customWorkflow(input);

export const classifyBatch: typeof batchClassifications.classifyBatch = (input) =>
  (require('./classify-batch') as typeof batchClassifications).classifyBatch(input);

export const eraseUserMemories: typeof erasures.eraseUserMemories = (input) =>
  (require('./erase-user-memories') as typeof erasures).eraseUserMemories(input);

export const reindexMemories: typeof reindexings.reindexMemories = (input) =>
  (require('./reindex-memories') as typeof reindexings).reindexMemories(input);

export const agentTurn: typeof agentTurns.agentTurn = (input) =>
  (require('./agent-turn') as typeof agentTurns).agentTurn(input);

export const agentSelfTest: typeof agentSelfTests.agentSelfTest = (input) =>
  (require('./agent-self-test') as typeof agentSelfTests).agentSelfTest(input);

export const memoryChatTurn: typeof chatTurns.memoryChatTurn = (input) =>
  (require('./memory-chat-turn') as typeof chatTurns).memoryChatTurn(input);

export const importRecords: typeof imports.importRecords = (input) =>
  (require('./import-records') as typeof imports).importRecords(input);

// Where workers have builds, a run stays on the one it began on. These three may go on for a day or longer and would keep
// an old build's workers up all that time, so they move to the current build: a change to one of them goes behind `patched`.
// The server takes a behaviour from workers that have builds and from no others.
const followsBuilds = (): { versioningBehavior?: 'AUTO_UPGRADE' } =>
  workflowInfo().currentDeploymentVersion?.deploymentName ? { versioningBehavior: 'AUTO_UPGRADE' } : {};
setWorkflowOptions(followsBuilds, eraseUserMemories);
setWorkflowOptions(followsBuilds, reindexMemories);
setWorkflowOptions(followsBuilds, importRecords);
