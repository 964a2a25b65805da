import type { AgentActivities } from '../activities/agent';
import type { ConsolidationActivities } from '../activities/consolidation';
import type { ConversationActivities } from '../activities/conversation';
import type { ExternalActivities } from '../activities/external';
import type { FactActivities } from '../activities/facts';
import type { IntentActivities } from '../activities/intents';
import type { MemoryActivities } from '../activities/memory';
import type { MemoryImportActivities } from '../activities/memory-imports';
import type { ModelActivities } from '../activities/models';
import type { ScheduleActivities } from '../activities/schedules';
import type { ToolActivities } from '../activities/tools';
import type { WebhookActivities } from '../activities/webhooks';
import type { QueueKind } from '../src/contracts/queues';

/** The activities of all queues. */
export type Activities = AgentActivities &
  ConsolidationActivities &
  ConversationActivities &
  ExternalActivities &
  FactActivities &
  IntentActivities &
  MemoryActivities &
  MemoryImportActivities &
  ModelActivities &
  ScheduleActivities &
  ToolActivities &
  WebhookActivities;

/** Activities that the wiring adds to those of `activities/`, by their names. */
export type AddedActivities = Readonly<Record<string, (...args: never[]) => Promise<unknown>>>;

/**
 * The activities that the worker of a queue runs. The worker of the workflows' queue has all of them: light tool
 * calls and the built-in rules are local activities there, and runs that began when there was one queue only have
 * their steps in it.
 */
export function selectActivities(kind: QueueKind, all: Activities): Partial<Activities> {
  const { runTool, plan, generate, answerTurn, classifyTurn, classifyPart, drawNextFacts } = all;
  switch (kind) {
    case 'workflows':
      return all;
    case 'io':
    case 'sandbox':
      return { runTool };
    case 'models':
      return { plan, generate, answerTurn, classifyTurn, classifyPart, drawNextFacts };
  }
}
