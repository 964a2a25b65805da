import { usesMemory, usesTools } from '../../contracts/intent-types';
import type { Classification, ClassificationOptions, Intent } from '../../contracts/http/intents';
import type { ModelAllowance } from '../../contracts/runs/budgets';
import type { ToolDescription } from '../../contracts/http/llm';
import type { SpendingLedger } from '../../llm/spending-ledger';
import { withinAllowance } from '../../llm/within-allowance';
import type { ModelProviders } from '../../llm/model-providers';
import { stopwatch } from '../../base/stopwatch';
import type { IntentClassifier } from '../intent-classifier';
import type { Question } from './ask-model';
import { type ModelVerdict, askWithRetries } from './attempts';
import { agreedConfidence, alternativesTo, type Opinion } from './confidence';
import { DEFAULTS } from './defaults';
import { planExecution, type ToolTimes } from './execution-plan';
import { contextTexts } from './context-texts';

export interface ClassificationPorts {
  /** @throws HoldfastError `INTENT_NOT_INITIALIZED` */
  readonly providers: () => Promise<ModelProviders>;
  /** Classifies by rules; absent: only models classify. */
  readonly classifier: IntentClassifier | undefined;
  readonly tools: () => Promise<readonly ToolDescription[]>;
  readonly toolTimes: ToolTimes;
  readonly ledger: SpendingLedger;
}

export interface IntentClassification {
  /**
   * Classifies one query. An abort by `signal` rejects with the signal's reason; absent: only the time limit ends it.
   * A model is asked only where the allowance of the run has room for it.
   * @throws HoldfastError `INTENT_NOT_INITIALIZED`; `CLASSIFICATION_FAILED` with details `{ query, attempts, lastError
   * }` and `CLASSIFICATION_TIMEOUT` with details `{ timeout, actualTime }`, unless `options.fallback` lets the rules
   * answer; `MODEL_NOT_CONFIGURED` or `MODEL_UNKNOWN` for a model that does not exist; `STORE_UNAVAILABLE`
   */
  classify(
    query: string,
    options: ClassificationOptions,
    signal?: AbortSignal,
    allowance?: ModelAllowance,
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
  /** The opinion of the rules, where they were asked. */
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

  function toModelVerdict(question: Question, { answer, ...asked }: ModelVerdict): Verdict {
    const { type, reasoning = '' } = answer;
    const known = new Set(question.tools.map(({ name }) => name));
    const named = new Set(usesTools(type) ? answer.requiredTools : []);
    const requiredTools = [...named].filter((name) => known.has(name));
    const { model, retries, usage } = asked;
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
    allowance: ModelAllowance | undefined,
  ): Promise<Verdict> {
    const [providers, tools] = await Promise.all([ports.providers(), ports.tools()]);
    const question = { query, options, tools };
    const resolved = providers.resolve(options.model);
    if (classifier !== undefined && resolved.provider.name === 'builtin')
      return classifyByRules(classifier, question);
    const provider = withinAllowance(resolved.provider, allowance, ports.ledger);
    const asked = await askWithRetries({ ...resolved, provider, ...question, signal });
    if (!('metadata' in asked)) return toModelVerdict(question, asked);
    if (classifier === undefined) throw asked.error;
    return classifyByRules(classifier, question, asked.metadata);
  }

  return {
    async classify(query, options, signal = new AbortController().signal, allowance) {
      const elapsed = stopwatch();
      const { intent, opinion, modelUsed, answeredBy, metadata } = await judge(
        query,
        options,
        signal,
        allowance,
      );
      const { type, confidence, requiredTools, reasoning } = intent;
      const executionPlan = await planExecution(intent, answeredBy, ports.toolTimes);
      return {
        intent: {
          type,
          confidence,
          requiredTools,
          memoryContext: usesMemory(type),
          ...(options.includeReasoning === false ? {} : { reasoning }),
        },
        executionPlan,
        metadata: {
          classificationTime: elapsed(),
          modelUsed,
          confidence,
          ...metadata,
          ...(metadata.usage === undefined ? {} : { tokensUsed: metadata.usage.totalTokens }),
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
        classifier,
        providers: once(ports.providers),
        tools: once(ports.tools),
        toolTimes: onceForEach(ports.toolTimes),
        ledger: ports.ledger,
      }),
  };
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
