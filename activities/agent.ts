import { Context } from '@temporalio/activity';
import type { ClassifyTurnInput, PlanningBackground } from '../src/contracts/runs/agent';
import type { Recalled } from '../src/contracts/http/conversations';
import type { Classification } from '../src/contracts/http/intents';
import type { ChatMessage, ProviderName, ToolDescription } from '../src/contracts/http/llm';
import type { ModelChoice } from '../src/contracts/runs/workflows';
import { contextText } from '../src/conversation/context-text';
import { fitContext, type FittedContext } from '../src/conversation/fit-context';
import { DATA_NOT_INSTRUCTIONS } from '../src/conversation/prompt';
import { HoldfastError, messageOf } from '../src/base/errors';
import type { IntentClassification } from '../src/intent/service/classification';
import { offeredTools } from '../src/llm/offered-tools';
import type { LlmProvider } from '../src/llm/provider';
import type { IntentStatisticsStore } from '../src/intent/statistics/intent-statistics';

export interface AgentActivitiesPorts {
  /** Classifies by the models that the service is configured with; it counts nothing. */
  readonly classification: IntentClassification;
  readonly statistics: Pick<IntentStatisticsStore, 'record'>;
  /** @throws HoldfastError `MODEL_NOT_CONFIGURED` */
  readonly provider: (name: ProviderName) => LlmProvider;
  readonly tools: () => Promise<readonly ToolDescription[]>;
}

/** What a model plans that is given memories. */
export interface Planning {
  readonly choice: ModelChoice;
  readonly query: string;
}

/** The steps that only a turn of the agent has. */
export interface AgentActivities {
  classifyTurn(input: ClassifyTurnInput): Promise<Classification>;
  /**
   * Puts memories into messages for a model that plans, as many as fit its context.
   * @param planning what is planned; absent in runs of earlier builds, which plan with all of them
   */
  describeMemories(recalled: Recalled, planning?: Planning): Promise<PlanningBackground>;
}

export function createAgentActivities({
  classification,
  statistics,
  provider,
  tools,
}: AgentActivitiesPorts): AgentActivities {
  async function fitMemories(recalled: Recalled, planning: Planning | undefined): Promise<FittedContext> {
    if (planning === undefined) return { ...contextText(recalled), degraded: [] };
    const { choice, query } = planning;
    const asked: ChatMessage[] = [{ role: 'user', content: query }];
    const more = offeredTools(await tools(), asked);
    return fitContext(provider(choice.provider), choice, recalled, (text) => ({
      messages: [...toMessages(text), ...asked],
      more,
    }));
  }

  return {
    async classifyTurn({ query, options, ...bounds }) {
      const { cancellationSignal, info, log } = Context.current();
      const runId = info.workflowExecution?.runId;
      if (runId === undefined)
        throw new HoldfastError('INTERNAL', 'A turn can only be classified inside a workflow run');
      const classified = await classification.classify(query, options, cancellationSignal, bounds);
      const { intent, metadata } = classified;
      const outcome = { intent, time: metadata.classificationTime };
      await statistics.record([outcome], `${runId}/turn`).catch((error: unknown) => {
        log.warn('A classification was not counted', { reason: messageOf(error) });
      });
      return classified;
    },
    async describeMemories(recalled, planning) {
      const { text, included, degraded } = await fitMemories(recalled, planning);
      const messages = text === '' ? [] : toMessages(text);
      return { messages, sources: included, ...(degraded.length === 0 ? {} : { degraded }) };
    },
  };
}

function toMessages(memories: string): ChatMessage[] {
  return [
    { role: 'system', content: DATA_NOT_INSTRUCTIONS },
    { role: 'user', content: memories },
  ];
}
