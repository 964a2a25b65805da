import type { GenerationOptions } from '../../src/contracts/http/llm';
import type { MemoryChatTurnInput, MemoryChatTurnResult } from '../../src/contracts/runs/memory-chat';
import { summariseText } from '../../src/contracts/runs/summaries';
import type { ModelChoice } from '../../src/contracts/runs/workflows';
import type { Config } from '../../src/settings/config';
import { newId } from '../../src/base/ids';
import type { RequestContext } from '../http/route';
import type { RunLimitSettings } from '../runs/run-limits';
import { modelLimits } from '../runs/run-limits';
import type { TurnRuns } from '../runs/turn-runs';

/** A message as it was asked to be answered. */
export interface ChatRequest {
  readonly userId: string;
  readonly sessionId: string;
  readonly message: string;
  readonly includeMemories: boolean;
  readonly options?: GenerationOptions | undefined;
}

/** Starts turns of memory chat and waits for them. */
export interface ChatRuns {
  /** @throws HoldfastError `MODEL_UNKNOWN`; what `TurnRuns.take` throws */
  chat(request: ChatRequest, context: RequestContext): Promise<MemoryChatTurnResult>;
}

export type ChatSettings = RunLimitSettings &
  Pick<
    Config,
    'CONVERSATION_RECENT_MESSAGES' | 'CONVERSATION_MEMORY_TIMEOUT_MS' | 'MEMORY_MAX_CONTEXT_MEMORIES'
  >;

export interface ChatRunsPorts {
  readonly turns: TurnRuns;
  chooseModel(options: GenerationOptions): ModelChoice;
  readonly settings: ChatSettings;
}

/** Most memories that a message is answered from; more would bury what fits. */
const MAX_RECALLED = 10;

export function createChatRuns({ turns, chooseModel, settings }: ChatRunsPorts): ChatRuns {
  return {
    chat(request, context) {
      const { userId, sessionId, message } = request;
      // At once: a wrong name is the request's fault and takes no place in the session.
      const choice = chooseModel(request.options ?? {});
      return turns.take<MemoryChatTurnResult>(
        {
          userId,
          sessionId,
          prefix: 'memory-chat-turn',
          area: 'memory-chat',
          asked: request,
          prepare: (after) => {
            const input: MemoryChatTurnInput = {
              ...inputOf(request, choice, settings),
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

/** The input of a turn that waits for none. */
function inputOf(
  { userId, sessionId, message, includeMemories }: ChatRequest,
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
    modelLimits: modelLimits(settings),
    memoryLimits: { timeoutMs: settings.CONVERSATION_MEMORY_TIMEOUT_MS },
  };
}
