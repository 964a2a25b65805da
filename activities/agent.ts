import { Context } from '@temporalio/activity';
import type { Fact } from '../src/contracts/facts';
import type { AgentCall, PreparedAgentTurn } from '../src/contracts/runs/called-turns';
import type { ClassifyTurnInput, DescribedTurn, PlanningBackground } from '../src/contracts/runs/agent';
import type { Recalled } from '../src/contracts/http/conversations';
import type { Classification } from '../src/contracts/http/intents';
import type { TurnFile } from '../src/contracts/http/files';
import type { ChatMessage, ProviderName, ToolDescription } from '../src/contracts/http/llm';
import type { EarlierMessage } from '../src/contracts/runs/turns';
import { describeInstructions } from '../src/contracts/caller-instructions';
import { keepOffered } from '../src/contracts/tool-names';
import { contextText } from '../src/conversation/context-text';
import { toChatMessages, withoutEarlier } from '../src/conversation/earlier-messages';
import { fitPrompt } from '../src/conversation/fit-context';
import { type Known, knownTo } from '../src/conversation/known-to';
import { buildBackground, userMessage } from '../src/conversation/prompt';
import { HoldfastError, messageOf } from '../src/base/errors';
import type { IntentClassification } from '../src/intent/service/classification';
import { offeredBesides } from '../src/llm/offered-besides';
import { offeredCalls } from '../src/llm/offered-tools';
import type { LlmProvider } from '../src/llm/provider';
import type { IntentStatisticsStore } from '../src/intent/statistics/intent-statistics';

export interface AgentActivitiesPorts {
  /** Classifies by the models that the service is configured with; it counts nothing. */
  readonly classification: IntentClassification;
  readonly statistics: Pick<IntentStatisticsStore, 'record'>;
  /** Lists the facts of a user, of all times, in the order in which they began. */
  readonly facts: (userId: string) => Promise<readonly Fact[]>;
  /** @throws HoldfastError `MODEL_NOT_CONFIGURED` */
  readonly provider: (name: ProviderName) => LlmProvider;
  readonly tools: () => Promise<readonly ToolDescription[]>;
  /** As the activity. */
  readonly prepareCall: (call: AgentCall, signal: AbortSignal) => Promise<PreparedAgentTurn>;
}

/** The steps that only a turn of the agent has. */
export interface AgentActivities {
  classifyTurn(input: ClassifyTurnInput): Promise<Classification>;
  /**
   * Puts memories, as many as fit the model's context, and what holds of the user into messages for a model that plans.
   * @param about absent if memory was not searched, and in runs that an older build started
   * @param files what the user has sent with the query; absent: nothing
   * @param earlier as in `AgentTurnInput`; they follow the memories
   */
  describeMemories(
    recalled: Recalled,
    about?: DescribedTurn,
    files?: readonly TurnFile[],
    earlier?: readonly EarlierMessage[],
  ): Promise<PlanningBackground>;
  /**
   * Prepares the turn of an agent that another one calls.
   * @throws HoldfastError `AGENT_NOT_FOUND`, or what is wrong with the agent by now; `STORE_UNAVAILABLE` (retryable)
   */
  prepareAgentCall(call: AgentCall): Promise<PreparedAgentTurn>;
}

export function createAgentActivities(ports: AgentActivitiesPorts): AgentActivities {
  const { classification, statistics, facts, provider, tools, prepareCall } = ports;

  async function fitMemories(
    { memories, facts: holding }: Known,
    about: DescribedTurn | undefined,
    files: readonly TurnFile[] | undefined,
  ) {
    if (about === undefined) return { ...contextText(memories), degraded: [] };
    const { choice, query, instructions, tools: wanted } = about;
    const userMessages: ChatMessage[] = [userMessage(query, files)];
    const ownMessages: ChatMessage[] = [
      ...(instructions === undefined
        ? []
        : [{ role: 'system' as const, content: describeInstructions(instructions) }]),
      ...userMessages,
    ];
    // What has to be cut of files is decided again by each plan, which has results of tools too, and is reported by it.
    const { fitted } = await fitPrompt(
      provider(choice.provider),
      choice,
      memories,
      (text) => [...buildBackground({ facts: holding, memories: text }), ...ownMessages],
      async () => offeredCalls(keepOffered(await tools(), wanted), userMessages, offeredBesides(about)),
    );
    return fitted;
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
    async describeMemories(recalled, about, files, earlier = []) {
      const { log } = Context.current();
      const userFacts =
        about === undefined
          ? []
          : await facts(about.userId).catch((error: unknown) => {
              log.warn('A turn is planned without the facts of its user', { reason: messageOf(error) });
              return [];
            });
      const known = knownTo(withoutEarlier(recalled, earlier), userFacts, about ?? { query: '' }, Date.now());
      const { text: memories, included, degraded } = await fitMemories(known, about, files);
      const messages = [...buildBackground({ ...known, memories }), ...toChatMessages(earlier)];
      return { messages, sources: included, degraded: degraded.length === 0 ? undefined : degraded };
    },
    prepareAgentCall: (call) => prepareCall(call, Context.current().cancellationSignal),
  };
}
