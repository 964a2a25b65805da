import type { Fact } from '../contracts/facts';
import type { Degradation } from '../contracts/http/conversations';
import { needsModel } from '../contracts/runs/needs-model';
import type { AnswerRequest, TurnAnswer } from '../contracts/runs/turns';
import type { ProviderName, TokenUsage } from '../contracts/http/llm';
import type { ErrorCode } from '../base/error-codes';
import { isHoldfastError } from '../base/errors';
import { addUsage, NO_USAGE } from '../contracts/runs/token-usage';
import { OutputInvalidError } from '../llm/answer-errors';
import type { CallContext, ChatContext, LlmProvider } from '../llm/provider';
import type { StandIns } from '../llm/stand-ins';
import { type AnswerSchemas, toAnswerSchema } from '../llm/answer-schemas';
import type { SpendingLedger } from '../llm/spending-ledger';
import { withinAllowance } from '../llm/within-allowance';
import { stopwatch } from '../base/stopwatch';
import { answerByRules, type AnswerRules, type KnownRequest } from './answer-by-rules';
import { contextText } from './context-text';
import { withEarlier, withoutEarlier } from './earlier-messages';
import { fitEarlier, fitPrompt } from './fit-context';
import type { FallbackReason } from './conversation-rules';
import { knownTo } from './known-to';
import { buildTurnPrompt } from './prompt';
import { shorten } from '../contracts/json';
import { recalledTexts, standingMemories } from './recalled-texts';
import { NOT_ANSWERED, NO_RULES } from '../contracts/constants';

/** The codes of failures that no rules stand in for. */
const NO_STAND_IN: ReadonlySet<string> = new Set<ErrorCode>(['BUDGET_EXHAUSTED', 'MODEL_LOOP']);
/** Maximum number of quoted memories, and maximum length of each quotation and of a tool's result, characters. */
const MAX_QUOTES = 3;
const MAX_QUOTED = 300;

/** Longer replies say more than that there is no answer, characters. */
const MAX_LENGTH = 300;
/** How models begin a reply that only says that they have no answer, in English. */
const REFUSAL =
  /^(?:(?:i['’]m|i am)(?: very| so)? sorry|sorry\b|i apologi[sz]e|unfortunately\b|as an ai\b|i (?:do not|don['’]t|currently don['’]t) (?:know|recall|remember|see|have (?:any|access|enough|information|that|this|a record|records))|i (?:cannot|can['’]t|could not|couldn['’]t|am unable to|am not able to|was unable to) (?:answer|access|assist|determine|find|help|provide|recall|remember|say|see|tell))/i;

export interface AnswererPorts {
  /** @throws HoldfastError `MODEL_NOT_CONFIGURED` */
  readonly provider: (name: ProviderName) => LlmProvider;
  /** The rules that answer if there is no model, or if it fails; absent: the answer quotes what is known. */
  readonly rules: AnswerRules | undefined;
  /** Whether any model is configured; only without one may an answer say that none is. */
  readonly hasModel: boolean;
  readonly ledger: SpendingLedger;
  /** Checks answers by the schemas of callers. */
  readonly schemas: Pick<AnswerSchemas, 'findProblem'>;
  readonly standIns: StandIns;
  /** Lists the facts of a user, of all times, in the order in which they began. */
  readonly facts: (userId: string) => Promise<readonly Fact[]>;
}

const NO_MODEL = 'No language model is configured';
const MODEL_FAILED = 'The language model failed';
const NOT_ASKED = 'No worker asked the model';
/** Why rules answered, if no problem of the model says so. */
const WHY_RULES: Readonly<Record<FallbackReason, string>> = {
  'not-configured': NO_MODEL,
  'not-chosen': 'The built-in rules were chosen',
  failed: NOT_ASKED,
};

/** Answers a turn of a conversation from recalled memories and the results of tools. */
export interface Answerer {
  /**
   * Answers by the model or, if the model fails or says nothing, by rules, and says so in the answer. Without rules it
   * quotes the results of tools and memories. By a schema or with files it answers by the model alone.
   * @throws the signal's reason; any error that is not a failure of the model, `BUDGET_EXHAUSTED` and `MODEL_LOOP`; by a schema or
   * with files any failure of the model
   */
  answer(request: AnswerRequest, context: ChatContext): Promise<TurnAnswer>;
  /**
   * Answers by rules if the model has used up its time, and says so in the answer.
   * @param context its `timeoutMs` is the time that the model had
   * @throws as `answer` does
   */
  answerAfterTimeout(request: AnswerRequest, context: CallContext): Promise<TurnAnswer>;
}

export function createAnswerer(ports: AnswererPorts): Answerer {
  const { provider, rules, hasModel, ledger, schemas, facts, standIns } = ports;
  const notAsked = hasModel ? 'not-chosen' : 'not-configured';

  /** Facts are part of memory, so a turn without memory has none. */
  async function withFacts(request: AnswerRequest): Promise<KnownRequest> {
    const { userId, withMemory } = request;
    const known = userId !== undefined && withMemory ? await facts(userId) : [];
    return { ...request, facts: known };
  }

  async function answerWithRules(
    request: KnownRequest,
    limit: CallContext,
    why: FallbackReason,
    problem: string | undefined,
    elapsed: () => number,
  ): Promise<TurnAnswer> {
    if (why === 'failed') {
      const by = rules === undefined ? 'quotes' : 'rules';
      // A turn that no worker asked a model for names the rules as its provider.
      const meant = request.modelFailed === true ? undefined : request.choice.provider;
      standIns.note({ step: 'answer', by, provider: meant, reason: problem ?? NOT_ASKED });
    }
    const unfollowed = request.instructions === undefined ? [] : [notFollowed(problem, why)];
    const all = withEarlier(request.recalled, request.earlier);
    const standing = standingMemories(all, request.facts, false);
    const { text: context } = contextText(standing);
    if (rules === undefined) {
      const reason = problem ?? (why === 'failed' ? MODEL_FAILED : NO_MODEL);
      const quoted = quoteWhatIsKnown(
        { ...request, recalled: standing },
        `${reason.replace(/\.$/, '')}, and ${NO_RULES}`,
      );
      return { ...quoted, context, time: elapsed(), degraded: [...quoted.degraded, ...unfollowed] };
    }
    const recalled = standingMemories(all, request.facts, true);
    const answer = await answerByRules({ ...request, recalled }, rules, why, limit);
    const degraded = [...(problem === undefined ? [] : [modelDegradation(problem)]), ...unfollowed];
    return { ...answer, context, time: elapsed(), degraded };
  }

  return {
    async answer(question, limit) {
      const elapsed = stopwatch();
      const request = await withFacts(question);
      const { choice, responseSchema } = request;
      if (choice.provider === 'builtin') {
        return answerWithRules(
          request,
          limit,
          request.modelFailed === true ? 'failed' : notAsked,
          undefined,
          elapsed,
        );
      }
      const recalled = withoutEarlier(request.recalled, request.earlier);
      const known = knownTo(recalled, request.facts, request, Date.now());
      let failure: { readonly problem: string; readonly usage: TokenUsage };
      try {
        const model = provider(choice.provider);
        const { earlier, degraded: cut } = await fitEarlier(model, choice, request.earlier, (some) =>
          buildTurnPrompt({ ...request, earlier: some }, { ...known, memories: '' }),
        );
        const build = (memories: string) => buildTurnPrompt({ ...request, earlier }, { ...known, memories });
        const sent = await fitPrompt(model, choice, known.memories, build, () =>
          Promise.resolve(responseSchema),
        );
        const { fitted, messages } = sent;
        const answer = await withinAllowance(model, request.allowance, ledger).chat(
          { ...choice, messages, schema: toAnswerSchema(responseSchema, schemas) },
          limit,
        );
        const { content: text, usage } = answer;
        if (text.trim() !== '') {
          standIns.modelAnswered('answer');
          return {
            text,
            sources: fitted.included,
            context: fitted.text,
            provider: answer.provider,
            model: answer.model,
            usage,
            time: elapsed(),
            degraded: [...cut, ...sent.degraded],
            finishReason: answer.finishReason === 'length' ? 'length' : undefined,
            nothingKnown: saysNoAnswer(text) ? true : undefined,
            ...(responseSchema === undefined ? {} : { output: answer.value }),
          };
        }
        const problem = `The answer of "${answer.model}" has no text`;
        if (request.files !== undefined) throw new OutputInvalidError({ ...choice, problem, usage });
        failure = { problem, usage };
      } catch (error) {
        limit.signal.throwIfAborted();
        // The run decides what happens at the end of its budget. What stands in at the end of a loop would look like an answer.
        if (!isHoldfastError(error) || NO_STAND_IN.has(error.code)) throw error;
        if (needsModel(request)) throw error;
        // A turn of the agent ends so, whichever of its steps asks the model first.
        if (error.code === 'MODEL_UNKNOWN' && request.intent !== undefined) throw error;
        const { usage = NO_USAGE } = (error.details ?? {}) as { readonly usage?: TokenUsage };
        failure = { problem: error.message, usage };
      }
      const byRules = await answerWithRules(request, limit, 'failed', failure.problem, elapsed);
      // The tokens of the model were used, although the rules answer.
      return { ...byRules, usage: addUsage(failure.usage, byRules.usage) };
    },
    async answerAfterTimeout(request, limit) {
      const isModelChosen = request.choice.provider !== 'builtin';
      const late = isModelChosen ? `The model did not answer within ${limit.timeoutMs} ms` : undefined;
      return answerWithRules(
        await withFacts(request),
        limit,
        isModelChosen ? 'failed' : notAsked,
        late,
        stopwatch(),
      );
    },
  };
}

function modelDegradation(reason: string): Degradation {
  return { service: 'llm', reason, consequence: 'the built-in rules answered' };
}

/** Instructions are for a model: rules read the message alone. */
function notFollowed(problem: string | undefined, why: FallbackReason): Degradation {
  return {
    service: 'llm',
    reason: problem ?? WHY_RULES[why],
    consequence: 'the instructions were not followed',
  };
}

/**
 * Whether a model's reply only says that it has no answer. Such a reply is not worth being recalled: it says nothing of the user,
 * and is nearer to the same question than any fact. Pure.
 */
export function saysNoAnswer(text: string): boolean {
  const trimmed = text.trim();
  return trimmed.length <= MAX_LENGTH && REFUSAL.test(trimmed);
}

/**
 * Builds the reply of a turn if neither a model nor rules can answer: the results of tools, else the memories that
 * fit best, word for word. The reply says that it is not an answer. Pure.
 * @param reason why there is no answer, as a sentence without its full stop
 */
export function quoteWhatIsKnown(
  { tools, recalled }: Pick<AnswerRequest, 'tools' | 'recalled'>,
  reason: string,
): Omit<TurnAnswer, 'context' | 'time'> {
  const made = { provider: NOT_ANSWERED, model: NOT_ANSWERED, usage: NO_USAGE };
  const degraded = (consequence: string) => [{ service: 'llm' as const, reason, consequence }];
  if (tools.length > 0) {
    const text = tools.map(describeOutcome).join('\n');
    return { ...made, text, sources: [], degraded: degraded('the results of the tools were quoted') };
  }
  const quoted = recalledTexts(recalled)
    .filter(({ relevance }) => relevance > 0)
    .sort((one, other) => other.relevance - one.relevance)
    .slice(0, MAX_QUOTES);
  const lines = quoted.map(({ text }) => `“${shorten(text, MAX_QUOTED)}”`);
  const quotes = lines.length > 0 ? `Memory has on it:\n${lines.join('\n')}` : 'Memory has nothing on it.';
  const consequence = lines.length > 0 ? 'memories were quoted' : 'the message was not answered';
  return {
    ...made,
    text: `I cannot answer this. ${reason}. ${quotes}`,
    sources: quoted.map(({ id }) => id),
    degraded: degraded(consequence),
    // A reply that only quotes memories is not worth being recalled.
    nothingKnown: true,
  };
}

function describeOutcome({ toolName, success, result, error }: AnswerRequest['tools'][number]): string {
  return success
    ? `${toolName} returned ${shorten(result, MAX_QUOTED)}`
    : `${toolName} failed: ${shorten(error ?? 'it gave no reason', MAX_QUOTED)}`;
}
