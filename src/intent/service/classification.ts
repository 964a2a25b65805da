import { usesMemory, usesTools, INTENT_TYPES, type IntentType } from '../../contracts/intent-types';
import type { Classification, ClassificationOptions, Intent } from '../../contracts/http/intents';
import type { ModelAllowance } from '../../contracts/runs/budgets';
import type { ProviderName, ToolDescription } from '../../contracts/http/llm';
import { type LlmProvider, type PlaceWait, runInPlace } from '../../llm/provider';
import type { StandIns } from '../../llm/stand-ins';
import type { SpendingLedger } from '../../llm/spending-ledger';
import { withinAllowance } from '../../llm/within-allowance';
import type { ModelProviders } from '../../llm/model-providers';
import { stopwatch } from '../../base/stopwatch';
import type { IntentClassifier } from '../intent-classifier';
import type { Question } from './ask-model';
import { type ModelFailure, type ModelVerdict, askWithRetries, whereNotSent } from './attempts';
import { DEFAULTS } from './defaults';
import { planExecution, type ToolTimes } from './execution-plan';
import { cutText } from '../../base/text/well-formed';

/** Maximum length of the text taken from a context, characters. */
const MAX_TEXT = 1_000;
const MAX_LEVELS = 8;

/** Minimum probability of an alternative. */
const MIN_ALTERNATIVE = 0.05;

export interface ClassificationPorts {
  /** @throws HoldfastError `INTENT_NOT_INITIALIZED` */
  readonly providers: () => Promise<ModelProviders>;
  /** Classifies by rules; absent: only models classify. */
  readonly classifier: IntentClassifier | undefined;
  readonly tools: () => Promise<readonly ToolDescription[]>;
  readonly toolTimes: ToolTimes;
  readonly ledger: SpendingLedger;
  readonly standIns: StandIns;
  readonly firstReader: FirstReader;
  /** True if a model that a request names has to classify it; false if that model answers the message. */
  readonly honoursModel: boolean;
  /** How long a query waits for calls before it at its provider, milliseconds, unless its bounds say so. */
  readonly maxWaitMs: number;
}

/** What a run leaves to a classification. */
export interface ClassificationBounds {
  readonly allowance?: ModelAllowance | undefined;
  /** As in `ModelLimits`. */
  readonly maxWaitMs?: number | undefined;
}

export interface IntentClassification {
  /**
   * Classifies one query. An abort by `signal` rejects with the signal's reason; absent: only the time limit ends it.
   * A model is asked only if the allowance of the run has room for it. If rules read first, it is asked only in doubt.
   * @throws HoldfastError `INTENT_NOT_INITIALIZED`; `CLASSIFICATION_FAILED` with details `{ query, attempts, lastError
   * }` and `CLASSIFICATION_TIMEOUT` with details `{ timeout, actualTime }`, unless `options.fallback` lets the rules
   * answer; `MODEL_NOT_CONFIGURED` or `MODEL_UNKNOWN` for a model that does not exist; `STORE_UNAVAILABLE`
   */
  classify(
    query: string,
    options: ClassificationOptions,
    signal?: AbortSignal,
    bounds?: ClassificationBounds,
  ): Promise<Classification>;
}

/** A classification that also serves batches. */
export interface BatchableClassification extends IntentClassification {
  /**
   * For queries that are classified together: providers, tools and the times of tools are read once, for the first
   * query that needs them, and serve all of them.
   */
  forBatch(): IntentClassification;
}

/** The result for a query, from the rules or from a model. */
interface Verdict {
  readonly intent: Omit<Intent, 'memoryContext'>;
  /** The opinion of the rules, if they were asked. */
  readonly opinion?: Opinion;
  readonly modelUsed: string;
  readonly answeredBy: 'builtin' | 'model';
  readonly metadata: Partial<Classification['metadata']>;
}

export function createIntentClassification(ports: ClassificationPorts): BatchableClassification {
  const { classifier } = ports;

  function classifyByRules(
    classifier: IntentClassifier,
    { query, options, tools }: Question,
    metadata: Partial<Classification['metadata']> = {},
  ): Verdict {
    const { previousIntents = [], hintIntent, context } = options;
    const { probabilities: opinion, ...intent } = classifier.classify(query, {
      previousIntents,
      tools,
      doubtBelow: thresholdOf(options),
      hintIntent,
      surroundings: context && contextTexts(context),
    });
    return { intent, opinion, modelUsed: 'builtin', answeredBy: 'builtin', metadata };
  }

  function toModelVerdict(question: Question, { answer, ...modelCall }: ModelVerdict): Verdict {
    const { type, reasoning = '' } = answer;
    const known = new Set(question.tools.map(({ name }) => name));
    const named = new Set(usesTools(type) ? answer.requiredTools : []);
    const requiredTools = [...named].filter((name) => known.has(name));
    const { model, retries, usage } = modelCall;
    const verdict = { modelUsed: model, answeredBy: 'model' as const, metadata: { usage, retries } };
    const intent = {
      type,
      confidence: answer.confidence,
      requiredTools,
      reasoning: reasoning === '' ? `Taken as ${type} by the model "${model}".` : reasoning,
    };
    if (answer.confidence >= thresholdOf(question.options)) return { ...verdict, intent };
    if (classifier === undefined) return { ...verdict, intent };
    // In doubt the rules are asked too, because they weigh the hint, the intents before and the context.
    const rules = classifyByRules(classifier, question);
    const agreed = rules.intent.type === type;
    const confidence = agreed
      ? agreedConfidence(answer.confidence, rules.intent.confidence)
      : answer.confidence;
    return { ...verdict, intent: { ...intent, confidence }, opinion: rules.opinion };
  }

  async function judge(
    query: string,
    options: ClassificationOptions,
    signal: AbortSignal,
    { allowance, maxWaitMs = ports.maxWaitMs }: ClassificationBounds,
  ): Promise<Verdict> {
    const [providers, tools] = await Promise.all([ports.providers(), ports.tools()]);
    const question = { query, options, tools };
    const resolved = providers.resolve(options.model);
    const { name } = resolved.provider;
    if (classifier !== undefined && (name === 'builtin' || readsFirst(name, options))) {
      const verdict = classifyByRules(classifier, question);
      if (name === 'builtin' || verdict.intent.confidence >= thresholdOf(options)) return verdict;
    }
    // Callers choose the limit, and by an initialization the server.
    const isOfCaller = ports.honoursModel;
    const timeoutMs = options.timeout ?? DEFAULTS.timeout;
    const wait = { model: resolved.model, signal, timeoutMs, maxWaitMs };
    const modelOutcome = await askInPlace(resolved.provider, wait, options, (free) =>
      askWithRetries({
        ...resolved,
        provider: withinAllowance(free, allowance, ports.ledger),
        ...question,
        signal,
      }),
    );
    if (!('metadata' in modelOutcome)) {
      if (!isOfCaller) ports.standIns.modelAnswered('classify');
      return toModelVerdict(question, modelOutcome);
    }
    if (!modelOutcome.isOfBudget) {
      const by = classifier === undefined ? 'nothing' : 'rules';
      ports.standIns.note({
        step: 'classify',
        by,
        provider: name,
        reason: modelOutcome.metadata.fallback,
        isOfCaller,
      });
    }
    if (classifier === undefined) throw modelOutcome.error;
    return classifyByRules(classifier, question, modelOutcome.metadata);
  }

  /** Whether rules read a query first: not if its caller wants this very model. */
  const readsFirst = (provider: ProviderName, { model }: ClassificationOptions): boolean =>
    !(ports.honoursModel && model !== undefined) && asksRulesFirst(ports.firstReader, provider);

  return {
    async classify(query, options, signal = new AbortController().signal, bounds = {}) {
      const elapsed = stopwatch();
      const { intent, opinion, modelUsed, answeredBy, metadata } = await judge(
        query,
        options,
        signal,
        bounds,
      );
      const { type, confidence, requiredTools, reasoning } = intent;
      const executionPlan = await planExecution(intent, answeredBy, ports.toolTimes);
      return {
        intent: {
          type,
          confidence,
          requiredTools,
          memoryContext: usesMemory(type),
          reasoning: options.includeReasoning === false ? undefined : reasoning,
        },
        executionPlan,
        metadata: {
          classificationTime: elapsed(),
          modelUsed,
          confidence,
          ...metadata,
          tokensUsed: metadata.usage?.totalTokens,
          ...(confidence < thresholdOf(options)
            ? {
                lowConfidence: true,
                alternatives: opinion === undefined ? [] : alternativesTo(type, opinion),
              }
            : {}),
        },
      };
    },
    forBatch: () =>
      createIntentClassification({
        ...ports,
        providers: once(ports.providers),
        tools: once(ports.tools),
        toolTimes: onceForEach(ports.toolTimes),
      }),
  };
}

/** Asks a model in one place among the calls to its provider. The time of the classification begins when it has that. */
async function askInPlace(
  provider: LlmProvider,
  wait: PlaceWait,
  options: ClassificationOptions,
  ask: (free: LlmProvider) => Promise<ModelVerdict | ModelFailure>,
): Promise<ModelVerdict | ModelFailure> {
  try {
    return await runInPlace(provider, wait, ask);
  } catch (error) {
    return whereNotSent(error, options);
  }
}

function once<T>(read: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined;
  return () => (result ??= read());
}

function onceForEach(read: ToolTimes): ToolTimes {
  const results = new Map<string, ReturnType<ToolTimes>>();
  return (names) => {
    const key = JSON.stringify(names);
    const result = results.get(key) ?? read(names);
    results.set(key, result);
    return result;
  };
}

function thresholdOf({ confidenceThreshold = DEFAULTS.confidenceThreshold }: ClassificationOptions): number {
  return confidenceThreshold;
}

/** The probability of each type for a query. */
type Opinion = Readonly<Record<IntentType, number>>;

/**
 * The confidence in a type that two independent classifiers name: the product of their odds, over the odds of a guess
 * among the types (Bayes' rule for independent evidence). Never less than the confidence of the first. Pure.
 */
export function agreedConfidence(first: number, second: number): number {
  const guess = 1 / INTENT_TYPES.length;
  const odds = (share: number): number => share / Math.max(1e-9, 1 - share);
  const both = (odds(first) * odds(second)) / odds(guess);
  return Math.max(first, both / (1 + both));
}

/** The other types that a query may have, the likeliest first. Pure. */
export function alternativesTo(
  type: IntentType,
  opinion: Opinion,
): { readonly type: IntentType; readonly confidence: number }[] {
  return INTENT_TYPES.filter((each) => each !== type && opinion[each] >= MIN_ALTERNATIVE)
    .map((each) => ({ type: each, confidence: opinion[each] }))
    .sort((one, other) => other.confidence - one.confidence);
}

/** Collects the texts in a context of any form, without the names of properties. Pure. */
export function contextTexts(context: Readonly<Record<string, unknown>>): string {
  let text = '';
  let level: unknown[] = [context];
  for (let depth = 0; depth < MAX_LEVELS && level.length > 0; depth += 1) {
    for (const value of level) {
      if (typeof value === 'string') text += text === '' ? value : `\n${value}`;
      if (text.length >= MAX_TEXT) return cutText(text, MAX_TEXT);
    }
    level = level.flatMap((value): unknown[] =>
      typeof value === 'object' && value !== null ? Object.values(value) : [],
    );
  }
  return text;
}

/** Who reads a query first: `rules` ask the model only in doubt. `auto`: the rules if the model is a local one. */
export type FirstReader = 'auto' | 'rules' | 'model';

/** Whether rules classify before a model of this provider. Local models are slow, and small ones classify worse. Pure. */
function asksRulesFirst(reader: FirstReader, provider: ProviderName): boolean {
  return reader === 'auto' ? provider === 'local' : reader === 'rules';
}
