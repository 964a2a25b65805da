import { toAgentAnswer } from './agent/agent-answer';
import { toSelfTestReport } from './agent/self-test-report';
import { toChatAnswer } from './memory-chat/chat-answer';
import { toErasureAnswer } from './memory/erasure-answer';
import { createToRunData } from './runs/run-data';

/** Turns the result of any run of the service into the `data` of the response that waits for the run. */
export const toRunData = createToRunData({
  agentSelfTest: (result) => toSelfTestReport(result),
  agentTurn: async (result, readInput) => toAgentAnswer(result, await readInput()),
  eraseUserMemories: (result) => toErasureAnswer(result),
  memoryChatTurn: (result) => toChatAnswer(result),
});
