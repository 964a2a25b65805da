import { setWorkflowOptions, workflowInfo } from '@temporalio/workflow';
import { approval } from './approval';
import { callExternal } from './call-external';
import { consolidateAllUsers } from './consolidate-all-users';
import { consolidateMemories } from './consolidate-memories';
import { eraseUserMemories } from './erase-user-memories';
import { importMemories } from './import-memories';
import { importRecords } from '../packages/records/workflows/import-records';
import { redrawFacts } from './redraw-facts';
import { reindexMemories } from './reindex-memories';
import { scheduledRun } from './scheduled-run';
import { undoConsolidation } from './undo-consolidation';
import { webhookDelivery } from './webhook-delivery';
import { webhookFeed } from './webhook-feed';

// Every function exported here is registered as a workflow type under its name. All runs of a worker share these
// modules and what they import (`worker/build-bundle.ts`), so no module may keep state of a run.

export { agentSelfTest } from './agent-self-test';
export { agentTurn } from './agent-turn';
export { classifyBatch } from './classify-batch';
export { customWorkflow } from './custom-workflow';
export { callExternal };
export { drawFacts } from './draw-facts';
export { executeTool } from './execute-tool';
export { executeToolFromQuery } from './execute-tool-from-query';
export { executeToolsInParallel } from './execute-tools-in-parallel';
export { executeToolsInSequence } from './execute-tools-in-sequence';
export { scheduledRun };
export { memoryChatTurn } from './memory-chat-turn';
export { plannedQuery as mcpExecution, plannedQuery as queryWorkflow } from './planned-query';
export { approval, consolidateAllUsers, consolidateMemories, eraseUserMemories };
export { importMemories, importRecords, redrawFacts, reindexMemories, undoConsolidation };
export { webhookDelivery, webhookFeed };

// If workers have builds, a run stays on the build that it began on. These workflows may run for a day or
// longer and would keep the workers of an old build up all that time, so they move to the current build instead. A
// change to one of them therefore goes behind `patched`. The server accepts a versioning behavior only from workers
// that have a build.
const followsBuilds = (): { versioningBehavior?: 'AUTO_UPGRADE' } =>
  workflowInfo().currentDeploymentVersion?.deploymentName ? { versioningBehavior: 'AUTO_UPGRADE' } : {};
setWorkflowOptions(followsBuilds, approval);
setWorkflowOptions(followsBuilds, callExternal);
setWorkflowOptions(followsBuilds, consolidateAllUsers);
setWorkflowOptions(followsBuilds, consolidateMemories);
setWorkflowOptions(followsBuilds, eraseUserMemories);
setWorkflowOptions(followsBuilds, importMemories);
setWorkflowOptions(followsBuilds, importRecords);
setWorkflowOptions(followsBuilds, redrawFacts);
setWorkflowOptions(followsBuilds, reindexMemories);
setWorkflowOptions(followsBuilds, scheduledRun);
setWorkflowOptions(followsBuilds, undoConsolidation);
setWorkflowOptions(followsBuilds, webhookDelivery);
setWorkflowOptions(followsBuilds, webhookFeed);
