/**
 * What each stored history guards, in one line: the path that no other history of its type takes, or the build whose
 * runs it stands for. A history without a line here fails the suite, as does a line without a history.
 */
export const GUARDS: Readonly<Record<string, string>> = {
  'agentSelfTest-answered':
    'a self-test: a child run for each of its turns, and the erasure of its user at the end',
  'agentTurn-before-another': 'a turn that a later one asks to notify it, and that does so when it ends',
  'agentTurn-behind-another': 'a turn that waits for a notification of the turn before it',
  'agentTurn-called': 'a turn that another one has called: what it asks a person is asked by that one',
  'agentTurn-calls-agent':
    'a turn that calls the turn of another agent, asks a person for it and brings it the answer',
  'agentTurn-failed-model': 'a model that fails while it plans: the run fails after the message is stored',
  'agentTurn-in-models':
    'classification and answer in the queue of models, where the answer cannot be stored',
  'agentTurn-named': 'a turn of a named agent that stores nothing in memory',
  'agentTurn-not-taken': 'a model step that no worker takes: rules classify and answer',
  'agentTurn-rules-denied-call': 'rules whose call a person denies',
  'agentTurn-rules-hybrid': 'rules that read a question of memories and tools, of the newest build recorded',
  'agentTurn-shaped':
    'a turn with tools of its caller, which is answered by a schema after a plan that has an answer',
  'agentTurn-tools': 'a model that calls a tool and answers within its loop',
  'agentTurn-unknown-model': 'a model that its provider does not know: the run fails at once',
  'agentTurn-unsolved': 'a tool that fails in the loop of a model, which then answers without it',
  'approval-denied': 'an approval that a person denies',
  'approval-message': 'an approval with a message of its step, approved as asked',
  'approval-step': 'an approval that changes the arguments of its call',
  'classifyBatch-at-once': 'parts of a batch beside each other',
  'classifyBatch-one-after-another': 'parts of a batch in order',
  'classifyBatch-problems': 'a batch with a query that is refused and one whose model fails',
  'consolidateAllUsers-visited': 'the pass over all users, page by page',
  'consolidateMemories-archived': 'a consolidation that archives memories and stores summaries',
  'consolidateMemories-reported': 'a consolidation that only reports what it would do',
  'customWorkflow-approved-message': 'a step whose approval has a message with values of earlier steps',
  'customWorkflow-approved-prompt':
    'a prompt that a person changes, before approvals took a place in the allowance first',
  'customWorkflow-approved-step': 'a tool call that a person changes while another step runs beside it',
  'customWorkflow-continued': 'failed steps with `continueOnError`, one of them by its time limit',
  'customWorkflow-failed-beside-others': 'a failed step that cancels one that runs and skips one that waits',
  'customWorkflow-for-each': 'items in local and in regular activities, with a limit of how many at once',
  'customWorkflow-for-each-failed':
    'an item that lacks what its template refers to, which cancels those beside it',
  'customWorkflow-for-each-settled': 'items of which some fail, with `continueOnError`',
  'customWorkflow-light-side-by-side': 'steps beside each other whose local activities wait for one another',
  'customWorkflow-mistakes-end-run':
    'a mistake of a definition that ends the run, and `null` that is no text',
  'customWorkflow-named-steps': 'local activities that name their steps, and a step that asks a model',
  'customWorkflow-paced':
    'conditions that are as much work as a workflow task may do, and pauses between them',
  'customWorkflow-reused':
    'a rerun: a step of the first run, one that runs, and a given result that ends a shared activity',
  'customWorkflow-sequence': 'steps in order, with templates in arguments, parameters and bodies',
  'customWorkflow-shared-steps':
    'several steps in one local activity, with conditions and a failure among them',
  'drawFacts-drawn': 'facts that a model draws from memories, until none are left',
  'eraseUserMemories-erased': 'an erasure: memories, then runs, then its receipt',
  'executeTool-approved': 'a call that waits for a person',
  'executeTool-frozen-worker':
    'a call whose worker reports nothing: the timeout of the engine, then its count',
  'executeTool-in-io': 'a call in the queue for requests',
  'executeTool-in-sandbox': "a call in the queue for callers' JavaScript",
  'executeTool-light-failure': 'a local activity that fails',
  'executeTool-light-success': 'a local activity',
  'executeTool-regular-retried': 'an activity that is tried again',
  'executeTool-regular-success': 'an activity in the queue of the run, before there were several',
  'executeTool-regular-timeout': 'an activity that reports its time limit',
  'executeToolFromQuery-corrected': 'a model that corrects its arguments within one step',
  'executeToolFromQuery-failed-model': 'a model that fails: the run fails without a call',
  'executeToolFromQuery-failed-tool': 'a local activity that fails after the plan',
  'executeToolFromQuery-regular-success': 'an activity after the plan',
  'executeToolFromQuery-rules': 'rules that plan in a local activity',
  'executeToolFromQuery-several-calls': 'a model that wants several calls, of which none is made',
  'executeToolFromQuery-success': 'a local activity after the plan',
  'executeToolsInParallel-all-failed': 'calls that all fail: the run fails',
  'executeToolsInParallel-partial-failure': 'calls of which one fails, and the attribute that says so',
  'executeToolsInParallel-reused':
    'a rerun: calls of the first run and given results beside calls that are made',
  'executeToolsInParallel-success': 'several light calls in one local activity, beside an activity',
  'executeToolsInSequence-failed-in-shared-step': 'a failure among calls that share a local activity',
  'executeToolsInSequence-failed-step': 'a failed call of a build in which each had an activity of its own',
  'executeToolsInSequence-missing-reference': 'a template that refers to what a result does not have',
  'executeToolsInSequence-named-steps': 'shared local activities that name their calls',
  'executeToolsInSequence-reused':
    'a rerun: calls of the first run, and a given result between calls that would share an activity',
  'executeToolsInSequence-shared-step': 'shared local activities before they named their calls',
  'importMemories-imported': 'an import of memories with relations and facts, in several steps',
  'importRecords-imported': 'an import in several steps, with a row that is no JSON',
  'mcpExecution-asked-again': 'a model that said nothing after its tools, and is asked once more',
  'mcpExecution-budget-raised': 'a budget that a person raises',
  'mcpExecution-failed-model': 'a model that fails after a call',
  'mcpExecution-failed-tool':
    'a tool that fails more often than it may be planned around: reported as that of the tool',
  'mcpExecution-iteration-limit': 'a loop that ends with work left',
  'mcpExecution-remote-tool-approved': 'a tool of a remote server that a person approves',
  'mcpExecution-replanned': 'a failure among several calls: the rest is skipped, the model plans again',
  'mcpExecution-reused':
    'a rerun: plans and calls of the first run, one of them failed, and the rest of a plan that is made',
  'mcpExecution-rules-not-understood': 'rules that do not understand: a local activity that plans and fails',
  'mcpExecution-stopped-circle':
    'a planner that is stopped because it asks for a changing call again and again',
  'mcpExecution-success': 'a model whose calls run as activities and as local ones',
  'mcpExecution-timed-out-tool': 'an activity that reports its time limit, and is planned around',
  'memoryChatTurn-answered': 'a message and its answer by a model, the store and recall side by side',
  'memoryChatTurn-behind-another':
    'a message that waits for a notification of the turn before it, and removes the attribute that says so',
  'memoryChatTurn-not-taken': 'a run that fails because its message could not be stored',
  'memoryChatTurn-rules': 'a message that rules answer in a local activity',
  'memoryChatTurn-without-memories': 'a message for which nothing is recalled',
  'queryWorkflow-budget-finished': 'a budget that is used up: the model gives its last answer without tools',
  'queryWorkflow-refused-call':
    'a call of a target that the query does not name: refused, and planned around',
  'queryWorkflow-rules-failed-tool': 'rules whose tool fails: reported as the failure of a step',
  'redrawFacts-read': 'facts that are read anew from all memories, page by page',
  'reindexMemories-again': 'a reindexing that computes all vectors again',
  'reindexMemories-moved': 'a reindexing that moves vectors page by page and switches',
  'reindexMemories-nothing-to-do': 'a reindexing that ends where all is moved already',
  'scheduledRun-deleted': 'a schedule that was deleted when it fires: nothing is started',
  'scheduledRun-started': 'a schedule that starts a run and ends as that does',
  'undoConsolidation-restored': 'a consolidation that is undone',
  'webhookDelivery-repeated': 'a message that its receiver accepts at the second attempt',
  'webhookFeed-delivered': 'two events of a run, each in a child run',
};
