import { proxyActivities, proxyLocalActivities, workflowInfo } from '@temporalio/workflow';
import type { AgentActivities } from '../activities/agent';
import type { AgentTurnInput, AgentTurnResult, PlanningBackground } from '../src/contracts/agent-runs';
import type {
  Degradation,
  FilledQuery,
  Recalled,
  TurnAnswer,
  TurnMessage,
} from '../src/contracts/conversations';
import { NOTHING_RECALLED } from '../src/contracts/nothing-recalled';
import type { IntentType } from '../src/contracts/intent-types';
import { usesTools } from '../src/contracts/intent-types';
import type { Classification } from '../src/contracts/intents';
import { RETRY_DELAYS } from '../src/contracts/retries';
import { summariseModelCall } from '../src/contracts/summaries';
import { addUsage, NO_USAGE } from '../src/contracts/token-usage';
import { failingAsItsSteps } from './steps/long-steps';
import { inItsTurn } from './turns/session-turn';
import { inQueue } from './steps/step-queue';
import { createFailure } from './steps/failures';
import { HEARTBEAT_TIMEOUT_MS, retryPolicy } from './steps/retries';
import { answerStep, memoryDown, orByRules, recallStep, rememberStep, untilTaken } from './turns/turn-steps';
import type { TurnTools } from './turns/turn-tools';
import { RULES, runTurnTools } from './turns/turn-tools';

/** Beyond its own time limit, what a classification may take: queueing, and being lost with a worker, milliseconds. */
const CLASSIFICATION_MARGIN_MS = 15_000;

/** Answers a message: classifies it, recalls what fits, runs the tools it needs, answers, and remembers the turn. */
export function agentTurn(input: AgentTurnInput): Promise<AgentTurnResult> {
  const arrived = Date.now();
  return inItsTurn(input.after, () => failingAsItsSteps(() => takeTurn(input, Date.now() - arrived)));
}

async function takeTurn(input: AgentTurnInput, sessionWaitTime: number): Promise<AgentTurnResult> {
  const started = Date.now();
  const [{ notAsked, ...classified }, memory] = await Promise.all([
    classifyStep(input),
    recallIfWanted(input),
  ]);
  const { recalled = NOTHING_RECALLED, problem, searching } = memory;
  const isRules = input.choice.provider === 'builtin';
  // Where the model failed, rules go on as they do where none is chosen.
  const isRuled = isRules || classified.metadata.fallback !== undefined;
  const filled = isRuled && mayBeHybrid(classified) ? await fillStep(input, recalled) : undefined;
  const classification = filled?.query === undefined ? classified : asHybrid(classified);
  const { type } = classification.intent;
  // There is nothing else to answer from.
  if (problem !== undefined && (type === 'memory_chat' || (type === 'knowledge_search' && isRules))) {
    throw createFailure('MEMORY_UNAVAILABLE', problem.reason, {
      service: problem.service,
      reason: problem.reason,
    });
  }

  // Nobody waits twice for a worker that asks models.
  const turn = notAsked === undefined ? input : { ...input, choice: RULES };
  const worked = usesTools(type) ? await toolsFor(turn, type, filled, recalled) : undefined;
  const { tools } = worked ?? {};
  const answer = await answerFor(
    turn,
    notAsked !== undefined,
    classification,
    recalled,
    tools,
    worked?.filled ?? filled,
  );
  const { remembered, storing, notRemembered } = await remember(input, answer, started);

  return {
    response: answer.text,
    classification,
    ...(input.recall === undefined ? {} : { recalled }),
    toolResults: tools?.outcomes ?? [],
    ...(tools?.problem === undefined ? {} : { toolProblem: tools.problem }),
    sources: answer.sources,
    provider: answer.provider,
    model: answer.model,
    usage: tools === undefined ? answer.usage : addUsage(tools.usage, answer.usage),
    degraded: [
      ...classificationDegraded(classification),
      ...recalled.degraded,
      ...(problem === undefined ? [] : [problem]),
      ...(tools?.degraded ?? []),
      ...notAskedAgain(notAsked, tools !== undefined),
      ...answer.degraded,
      ...notRemembered,
    ],
    remembered,
    times: {
      sessionWaitTime,
      intentClassificationTime: classification.metadata.classificationTime,
      memorySearchTime: searching,
      toolExecutionTime: tools?.time ?? 0,
      llmResponseTime: answer.time,
      memoryStoreTime: storing,
      executionTime: Date.now() - started,
    },
    startedAt: new Date(started).toISOString(),
  };
}

/** Where the rules doubt whether memory is needed, memory tells. */
function mayBeHybrid({ intent, metadata }: Classification): boolean {
  return intent.type === 'hybrid' || metadata.alternatives?.some((other) => other.type === 'hybrid') === true;
}

/** Memory has what the query refers to: the doubt whether it is needed is over. Pure. */
function asHybrid(classification: Classification): Classification {
  const { intent, metadata } = classification;
  if (intent.type === 'hybrid') return classification;
  const { lowConfidence: _, alternatives = [], ...rest } = metadata;
  const hybrid = alternatives.find((other) => other.type === 'hybrid')?.confidence ?? 0;
  // What spoke for either of the two speaks for the one that is left.
  const confidence = Math.min(1, intent.confidence + hybrid);
  const reasoning =
    intent.reasoning === undefined
      ? {}
      : { reasoning: `${intent.reasoning} Memory has what it refers to, so it is hybrid.` };
  return {
    ...classification,
    intent: { ...intent, type: 'hybrid', confidence, memoryContext: true, ...reasoning },
    metadata: { ...rest, confidence },
  };
}

interface Classified extends Classification {
  /** Why no worker asked the model, so that rules classified. */
  readonly notAsked?: string;
}

/** Rules classify where no worker asks models. */
function classifyStep({ query, classification: options, choice }: AgentTurnInput): Promise<Classified> {
  const common = {
    scheduleToCloseTimeout: (options.timeout ?? 0) + CLASSIFICATION_MARGIN_MS,
    retry: retryPolicy(RETRY_DELAYS),
    summary: summariseModelCall(choice, 'classify'),
  };
  const rules = proxyLocalActivities<AgentActivities>(common);
  if (choice.provider === 'builtin') return untilTaken(() => rules.classifyTurn({ query, options }));
  const { classifyTurn } = proxyActivities<AgentActivities>({
    ...common,
    ...inQueue('models'),
    heartbeatTimeout: HEARTBEAT_TIMEOUT_MS,
  });
  return orByRules<Classified>(
    () => classifyTurn({ query, options }),
    async (fallback) => {
      const classified = await rules.classifyTurn({ query, options: { ...options, model: 'builtin' } });
      return { ...classified, metadata: { ...classified.metadata, fallback }, notAsked: fallback };
    },
  );
}

interface Memory {
  readonly recalled?: Recalled;
  readonly problem?: Degradation;
  /** Milliseconds that it took, whatever came of it. */
  readonly searching: number;
}

async function recallIfWanted(input: AgentTurnInput): Promise<Memory> {
  const { userId, sessionId, query: text, recall, memoryLimits } = input;
  if (recall === undefined) return { searching: 0 };
  const started = Date.now();
  // A model that was chosen may fail, and rules answer then.
  const query = { userId, sessionId, text, widely: true, ...recall };
  try {
    const recalled = await recallStep(query, memoryLimits);
    return { recalled, searching: recalled.time };
  } catch (error) {
    const problem = memoryDown(error, 'the turn was answered without memory');
    return { problem, searching: Date.now() - started };
  }
}

/** Puts what memory has in place of what the query says is remembered. */
function fillStep({ query }: AgentTurnInput, recalled: Recalled): Promise<FilledQuery> {
  const { fillQuery } = proxyLocalActivities<AgentActivities>({
    scheduleToCloseTimeout: CLASSIFICATION_MARGIN_MS,
    retry: retryPolicy(RETRY_DELAYS),
    summary: 'builtin: take values from memories',
  });
  return fillQuery({ query, recalled });
}

interface Worked {
  readonly tools: TurnTools;
  /** What was put in place of what the query says is remembered, where rules needed it. */
  readonly filled: FilledQuery | undefined;
}

async function toolsFor(
  input: AgentTurnInput,
  type: IntentType,
  known: FilledQuery | undefined,
  recalled: Recalled,
): Promise<Worked> {
  let filled = known;
  const tools = await runTurnTools(input, {
    query: filled?.query ?? input.query,
    background: await backgroundOf(input, recalled),
    // A model finds the values in the background; rules that plan in its stead have to be given them.
    async queryOfRules() {
      if (filled === undefined && type === 'hybrid') filled = await fillStep(input, recalled);
      return filled?.query ?? input.query;
    },
  });
  return { tools, filled };
}

/** What a model that plans is told of memory. Rules read the query alone. */
async function backgroundOf({ choice }: AgentTurnInput, recalled: Recalled): Promise<PlanningBackground> {
  if (choice.provider === 'builtin') return { messages: [], sources: [] };
  const { describeMemories } = proxyLocalActivities<AgentActivities>({
    scheduleToCloseTimeout: CLASSIFICATION_MARGIN_MS,
    retry: retryPolicy(RETRY_DELAYS),
    summary: 'put memories into words',
  });
  return describeMemories(recalled);
}

async function answerFor(
  input: AgentTurnInput,
  modelFailed: boolean,
  { intent }: Classification,
  recalled: Recalled,
  tools: TurnTools | undefined,
  filled: FilledQuery | undefined,
): Promise<TurnAnswer> {
  // A limit of the response is none of planning: then the response is asked for by itself.
  if (tools?.answer !== undefined && input.choice.maxTokens === undefined) {
    const { provider, model } = tools.choice;
    return { ...tools.answer, provider, model, context: '', usage: NO_USAGE, degraded: [] };
  }
  const { query, choice, modelLimits: limits, recall } = input;
  return answerStep({
    query,
    intent: intent.type,
    recalled,
    tools: tools?.outcomes ?? [],
    ...(filled === undefined ? {} : { filled }),
    ...(tools?.problem === undefined ? {} : { toolProblem: tools.problem }),
    // A model that could not plan is not asked again.
    ...(tools?.degraded.length ? { choice: tools.choice, modelFailed: true } : { choice }),
    ...(modelFailed ? { modelFailed } : {}),
    limits,
    withMemory: recall !== undefined,
  });
}

interface Remembered {
  readonly remembered: boolean;
  /** Milliseconds. */
  readonly storing: number;
  readonly notRemembered: readonly Degradation[];
}

async function remember(input: AgentTurnInput, answer: TurnAnswer, began: number): Promise<Remembered> {
  const { userId, sessionId, query, messageIds, memoryLimits } = input;
  const started = Date.now();
  const common = { userId, sessionId, turn: workflowInfo().workflowId };
  const messages: TurnMessage[] = [
    { ...common, id: messageIds.user, role: 'user', content: query, timestamp: began },
    {
      ...common,
      id: messageIds.assistant,
      role: 'assistant',
      content: answer.text,
      timestamp: Math.max(started, began + 1),
      nothingKnown: answer.nothingKnown === true,
    },
  ];
  try {
    await rememberStep(messages, memoryLimits);
    return { remembered: true, storing: Date.now() - started, notRemembered: [] };
  } catch (error) {
    const notRemembered = [memoryDown(error, 'the turn was not remembered')];
    return { remembered: false, storing: Date.now() - started, notRemembered };
  }
}

/** What rules did after the classification because no worker asks models. */
function notAskedAgain(reason: string | undefined, withTools: boolean): Degradation[] {
  if (reason === undefined) return [];
  const down = (consequence: string): Degradation => ({ service: 'llm', reason, consequence });
  return [
    ...(withTools ? [down('the built-in rules chose the tools')] : []),
    down('the built-in rules answered'),
  ];
}

function classificationDegraded({ metadata: { fallback } }: Classification): Degradation[] {
  if (fallback === undefined) return [];
  return [{ service: 'llm', reason: fallback, consequence: 'the built-in rules classified the query' }];
}
