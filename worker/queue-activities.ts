import type { AgentActivities } from '../activities/agent';
import type { ConversationActivities } from '../activities/conversation';
import type { IntentActivities } from '../activities/intents';
import type { MemoryActivities } from '../activities/memory';
import type { ModelActivities } from '../activities/models';
import type { RecordActivities } from '../activities/records';
import type { ToolActivities } from '../activities/tools';
import type { QueueKind } from '../src/contracts/queues';

/** Every step there is. */
export type Activities = AgentActivities &
  ConversationActivities &
  IntentActivities &
  MemoryActivities &
  ModelActivities &
  RecordActivities &
  ToolActivities;

/**
 * The steps that the worker of a queue takes. Those of the workflows' queue are all of them: light tool calls and the
 * built-in rules are local activities there, and runs that began when there was one queue have their steps in it.
 */
export function activitiesOf(kind: QueueKind, all: Activities): Partial<Activities> {
  const { runTool, plan, generate, answerTurn, classifyTurn, classifyPart } = all;
  switch (kind) {
    case 'workflows':
      return all;
    case 'io':
    case 'sandbox':
      return { runTool };
    case 'models':
      return { plan, generate, answerTurn, classifyTurn, classifyPart };
  }
}
