import { Context } from '@temporalio/activity';
import type { ClassifyTurnInput, PlanningBackground } from '../src/contracts/runs/agent';
import type { Recalled } from '../src/contracts/http/conversations';
import type { Classification } from '../src/contracts/http/intents';
import { contextText } from '../src/conversation/context-text';
import { DATA_NOT_INSTRUCTIONS } from '../src/conversation/prompt';
import { HoldfastError, messageOf } from '../src/base/errors';
import type { IntentClassification } from '../src/intent/service/classification';
import type { IntentStatisticsStore } from '../src/intent/statistics/intent-statistics';

export interface AgentActivitiesPorts {
  /** Classifies by the models that the service is configured with; it counts nothing. */
  readonly classification: IntentClassification;
  readonly statistics: Pick<IntentStatisticsStore, 'record'>;
}

/** The steps that only a turn of the agent has. */
export interface AgentActivities {
  classifyTurn(input: ClassifyTurnInput): Promise<Classification>;
  /** Puts memories into messages for a model that plans. */
  describeMemories(recalled: Recalled): Promise<PlanningBackground>;
}

export function createAgentActivities({ classification, statistics }: AgentActivitiesPorts): AgentActivities {
  return {
    async classifyTurn({ query, options, allowance }) {
      const { cancellationSignal, info, log } = Context.current();
      const runId = info.workflowExecution?.runId;
      if (runId === undefined)
        throw new HoldfastError('INTERNAL', 'A turn can only be classified inside a workflow run');
      const classified = await classification.classify(query, options, cancellationSignal, allowance);
      const { intent, metadata } = classified;
      const outcome = { intent, time: metadata.classificationTime };
      await statistics.record([outcome], `${runId}/turn`).catch((error: unknown) => {
        log.warn('A classification was not counted', { reason: messageOf(error) });
      });
      return classified;
    },
    describeMemories(recalled) {
      const { text, included } = contextText(recalled);
      if (text === '') return Promise.resolve({ messages: [], sources: [] });
      return Promise.resolve({
        messages: [
          { role: 'system', content: DATA_NOT_INSTRUCTIONS },
          { role: 'user', content: text },
        ],
        sources: included,
      });
    },
  };
}
