import type { GenerationOptions } from '../../src/contracts/http/llm';
import type { MemoryChatTurnInput, MemoryChatTurnResult } from '../../src/contracts/runs/memory-chat';
import { summariseText } from '../../src/contracts/runs/summaries';
import type { ModelChoice } from '../../src/contracts/runs/workflows';
import type { Config } from '../../src/settings/config';
import { newId } from '../../src/base/ids';
import type { Starting } from '../../requests/starting';
import { modelLimits, type RunLimitSettings } from '../../requests/run-limits';
import type { BudgetPolicies } from '../../requests/budget-policies';
import type { TurnRuns } from '../../requests/turn-runs';
import type { WaitingOption } from '../../requests/run-options';

/** A request to answer a message. */
export interface ChatRequest {
  readonly userId: string;
  readonly sessionId: string;
  readonly message: string;
  readonly includeMemories: boolean;
  readonly options?:
    | (GenerationOptions & {
        readonly instructions?: string | undefined;
        readonly onWaiting?: WaitingOption;
      })
    | undefined;
}

/** Starts turns of memory chat and waits for them. */
export interface ChatRuns {
  /** Answers a message. @throws HoldfastError `MODEL_UNKNOWN`, or as `TurnRuns.take` does */
  chat(request: ChatRequest, context: Starting): Promise<MemoryChatTurnResult>;
}

export type ChatSettings = RunLimitSettings &
  Pick<
    Config,
    'CONVERSATION_RECENT_MESSAGES' | 'CONVERSATION_MEMORY_TIMEOUT_MS' | 'MEMORY_MAX_CONTEXT_MEMORIES'
  >;

export interface ChatRunsPorts {
  readonly turns: TurnRuns;
  readonly budgets: Pick<BudgetPolicies, 'buildShared'>;
  chooseModel(options: GenerationOptions): ModelChoice;
  readonly settings: ChatSettings;
}

/** Maximum number of memories that a message is answered from; with more, the relevant ones would be hard to find. */
const MAX_RECALLED = 10;

export function createChatRuns({ turns, budgets, chooseModel, settings }: ChatRunsPorts): ChatRuns {
  return {
    chat(request, context) {
      const { userId, sessionId, message } = request;
      // The model is resolved first, so that a request with an unknown name takes no place in the session.
      const choice = chooseModel(request.options ?? {});
      return turns.take<MemoryChatTurnResult>(
        {
          userId,
          sessionId,
          prefix: 'memory-chat-turn',
          area: 'memory-chat',
          asked: request,
          behindPaused: request.options?.onWaiting === 'queue',
          prepare: (after) => {
            const input: MemoryChatTurnInput = {
              ...buildTurnInput(request, choice, settings),
              budget: budgets.buildShared(choice, { userId, sessionId }),
              after,
            };
            return {
              workflowType: 'memoryChatTurn',
              input,
              summary: summariseText(message),
            };
          },
        },
        context,
      );
    },
  };
}

/** Builds the input of a turn, without the turn that it waits for. */
function buildTurnInput(
  { userId, sessionId, message, includeMemories, options }: ChatRequest,
  choice: ModelChoice,
  settings: ChatSettings,
): MemoryChatTurnInput {
  const recall = {
    terms: [],
    limit: Math.min(MAX_RECALLED, settings.MEMORY_MAX_CONTEXT_MEMORIES),
    crossSession: true,
    recent: settings.CONVERSATION_RECENT_MESSAGES,
    withVectors: false,
  };
  return {
    userId,
    sessionId,
    message,
    messageIds: { user: newId(), assistant: newId() },
    recall: includeMemories ? recall : undefined,
    choice,
    instructions: options?.instructions,
    modelLimits: modelLimits(settings),
    memoryLimits: { timeoutMs: settings.CONVERSATION_MEMORY_TIMEOUT_MS },
  };
}
