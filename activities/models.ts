import { isDeepStrictEqual } from 'node:util';
import { Context } from '@temporalio/activity';
import type { TurnFile } from '../src/contracts/http/files';
import type {
  ChatMessage,
  ChatResult,
  ProviderName,
  ToolChoiceResult,
  ToolDescription,
} from '../src/contracts/http/llm';
import { shorten } from '../src/contracts/json';
import { keepOffered } from '../src/contracts/tool-names';
import { jsonLength } from '../src/contracts/json-length';
import type { StoredTool } from '../src/contracts/http/tools';
import { ownerOfRun } from '../src/contracts/runs/run-owner';
import { type CarriedSchema, schemaOf } from '../src/contracts/http/tool-schemas';
import type { GenerateInput, GenerateResult, Plan, PlanInput } from '../src/contracts/runs/workflows';
import { callTime } from '../src/contracts/runs/call-time';
import { HoldfastError, isHoldfastError } from '../src/base/errors';
import { asAttempt, asFinal, modelTimeout } from './model-attempts';
import { noteText } from './live-text';
import { namingFailure } from './naming-failure';
import { untilAvailable } from '../src/stores/until-available';
import { offeredBesides } from '../src/llm/offered-besides';
import { withFiles } from '../src/llm/file-parts';
import { fitFiles } from '../src/llm/fit-files';
import { offeredCalls, MAX_TOOL_OUTPUT_LENGTH } from '../src/llm/offered-tools';
import { type AnswerSchemas, toAnswerSchema } from '../src/llm/answer-schemas';
import type { CallContext, LlmProvider } from '../src/llm/provider';
import type { SpendingLedger } from '../src/llm/spending-ledger';
import { withinAllowance } from '../src/llm/within-allowance';
import type { ArgumentChecks } from '../src/tools/argument-check';
import { callMarks } from '../src/tools/call-marks';
import type { ToolRegistry } from '../src/tools/registry';

export interface ModelActivitiesPorts {
  /** @throws HoldfastError `MODEL_NOT_CONFIGURED` */
  readonly provider: (name: ProviderName) => LlmProvider;
  readonly registry: Pick<ToolRegistry, 'list' | 'getMany'>;
  readonly checks: ArgumentChecks;
  readonly ledger: SpendingLedger;
  /** Tokens of an answer that chooses tools, if the request names no limit. */
  readonly maxPlanTokens: number;
  readonly schemas: Pick<AnswerSchemas, 'findProblem'>;
  /** Epoch milliseconds by the clock of the Temporal server, which deadlines are of; default `Date.now`. */
  readonly now?: () => number;
}

/** The steps that every workflow with model calls has. */
export interface ModelActivities {
  /**
   * Asks the model which tools to run next. Each call carries the implementation that its tool has now.
   * @param files what the user has sent with the query, which is the last message of the user; absent: nothing
   * @throws HoldfastError `MODEL_TIMEOUT`, `MODEL_OUTPUT_INVALID`, or what the provider throws
   */
  plan(input: PlanInput, files?: readonly TurnFile[]): Promise<Plan>;
  generate(input: GenerateInput): Promise<GenerateResult>;
}

/** Stands for a tool that was removed between the offer to the model and its response. */
const REMOVED_TOOL = {
  implementation: { kind: 'none' },
  inputSchema: undefined,
  requiresApproval: undefined,
  annotations: undefined,
} as const;

/** What a call carries of its tool. */
type CalledTool = Pick<StoredTool, 'implementation' | 'requiresApproval' | 'annotations'> & {
  readonly inputSchema: StoredTool['inputSchema'] | undefined;
};

/** Reads the tool of an input in the form of earlier builds too. */
function withSchema(tool: CarriedSchema & StoredTool): StoredTool {
  return { ...tool, inputSchema: schemaOf(tool) ?? {} };
}

/** What the body of a model step is given. */
interface ModelStep {
  /**
   * Builds the context of one provider call, with the time that is left.
   * @throws HoldfastError `MODEL_TIMEOUT` when none is
   */
  readonly context: () => CallContext;
  /**
   * Reads from the store and repeats the read until the store answers, so that a model that has answered is not asked
   * twice. If it does not answer in the time of the step, the error is final.
   */
  readonly stored: <T>(read: () => Promise<T>) => Promise<T>;
}

export function createModelActivities(ports: ModelActivitiesPorts): ModelActivities {
  const { provider, registry, checks, ledger, maxPlanTokens, schemas, now = Date.now } = ports;

  /** Runs a model step, with `asAttempt`. */
  async function runModelStep<T>(
    { deadline, limits }: Pick<PlanInput, 'deadline' | 'limits'>,
    run: (step: ModelStep) => Promise<T>,
  ): Promise<T> {
    const { cancellationSignal: signal, info, log } = Context.current();
    const context = (): CallContext => {
      const leftMs = deadline - now();
      if (leftMs <= 0) throw modelTimeout(limits.timeoutMs);
      return { signal, ...callTime(limits, leftMs) };
    };
    const stored: ModelStep['stored'] = (read) =>
      untilAvailable(read, {
        ...context(),
        onFailure({ message }) {
          log.warn('A model step waits for the store', { reason: message });
        },
      }).catch((error: unknown) => {
        // The wait has used up the time of the step, so another attempt could only report that its time is over.
        throw isHoldfastError(error) ? asFinal(error) : error;
      });
    return asAttempt(info.attempt, limits, () => run({ context, stored }));
  }

  /** Lists the tools to offer, of those that the caller wants: all of them to the rules, and a selection to a model. */
  async function listOfferedTools(
    { choice, messages, tools: wanted, ...others }: PlanInput,
    stored: ModelStep['stored'],
  ): Promise<readonly ToolDescription[]> {
    const registered = keepOffered(await stored(() => registry.list()), wanted);
    return choice.provider === 'builtin'
      ? [...offeredBesides(others), ...registered]
      : offeredCalls(registered, messages, offeredBesides(others));
  }

  /** Reads the tools that were chosen. A registered tool that has the name of an agent or of a tool of the caller is not meant. */
  async function readTools(
    names: readonly string[],
    others: Pick<PlanInput, 'agents' | 'callerTools'>,
  ): Promise<ReadonlyMap<string, CalledTool>> {
    const besides = offeredBesides(others).map(({ name, inputSchema }): [string, CalledTool] => [
      name,
      { ...REMOVED_TOOL, inputSchema },
    ]);
    const called = new Map(besides);
    const registered = await registry.getMany([...new Set(names)].filter((name) => !called.has(name)));
    return new Map([...registered, ...called]);
  }

  return {
    plan: (input, files) =>
      runModelStep(input, async ({ context, stored }) => {
        const { choice } = input;
        const tool = input.tool && withSchema(input.tool);
        const tools = tool === undefined ? await listOfferedTools(input, stored) : [tool];
        const model = provider(choice.provider);
        const shortened = shortenToolOutputs(withFiles(input.messages, files), choice.provider);
        const { messages, degraded } = await fitFiles(model, choice, shortened, { more: tools });
        const answer = await withinAllowance(model, input.allowance, ledger).chooseTools(
          {
            ...choice,
            messages,
            tools: tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
            choice: tool === undefined && input.mustCall === undefined ? 'auto' : 'required',
            usualTokens: choice.maxTokens === undefined ? maxPlanTokens : undefined,
          },
          {
            ...context(),
            check: checks.of(ownerOfRun(Context.current().info.workflowExecution?.workflowId ?? '')),
          },
        );
        checkAnswer(input, answer);
        const { requests, content, ...generated } = answer;
        const known =
          tool === undefined
            ? await stored(() =>
                readTools(
                  requests.map(({ toolName }) => toolName),
                  input,
                ),
              )
            : new Map([[tool.name, tool]]);
        const offered = new Map(tools.map(({ name, inputSchema }) => [name, inputSchema]));
        const calls = requests.map(({ id, toolName, args, extra }) => {
          const registeredTool = known.get(toolName) ?? REMOVED_TOOL;
          const { implementation, inputSchema } = registeredTool;
          const marks = callMarks(registeredTool);
          // A tool of another schema may have been registered under the name meanwhile. Then the call carries the
          // schema, so that its arguments are checked by it when it runs.
          const isOther = inputSchema !== undefined && !isDeepStrictEqual(inputSchema, offered.get(toolName));
          const isCheckedLater = isOther || (inputSchema !== undefined && input.mayPause === true);
          return {
            id,
            call: { toolName, args, implementation, ...(isCheckedLater ? { inputSchema } : {}), ...marks },
            extra,
          };
        });
        return { content, calls, ...generated, ...(degraded.length === 0 ? {} : { degraded }) };
      }),
    async generate(input) {
      const { choice, messages, step, allowance } = input;
      const schema = toAnswerSchema(input.schema, schemas);
      const generate = (): Promise<ChatResult> =>
        runModelStep(input, ({ context }) =>
          withinAllowance(provider(choice.provider), allowance, ledger).chat(
            { ...choice, messages: shortenToolOutputs(messages, choice.provider), schema },
            { ...context(), onText: noteText(Context.current()) },
          ),
        );
      return step === undefined ? generate() : { step, ...(await namingFailure({ step }, generate)) };
    },
  };
}

/**
 * Rejects a response without any content, unless it ends a plan after its calls. One that was cut off ends none: models that
 * reason may use up all tokens before they say or call anything.
 * @throws HoldfastError `MODEL_OUTPUT_INVALID`
 */
function checkAnswer(
  { choice, messages }: PlanInput,
  { requests, content, finishReason, usage }: ToolChoiceResult,
): void {
  const isFirst = !messages.some(({ role }) => role === 'tool');
  const isCut = finishReason === 'length';
  if (requests.length > 0 || content.trim() !== '' || !(isFirst || isCut)) return;
  const problem = `it neither called a tool nor said anything${isCut ? ' within the maximum number of tokens' : ''}`;
  const { provider, model } = choice;
  throw new HoldfastError('MODEL_OUTPUT_INVALID', `The answer of "${model}" cannot be used: ${problem}`, {
    details: { provider, model, problem, usage },
  });
}

/** Cuts long tool outputs for a model. The rules get them whole, because they take arguments out of them. */
function shortenToolOutputs(
  messages: readonly ChatMessage[],
  provider: ProviderName,
): readonly ChatMessage[] {
  if (provider === 'builtin') return messages;
  return messages.map((message) =>
    message.role === 'tool' ? { ...message, content: shortenOutput(message.content) } : message,
  );
}

function shortenOutput(content: unknown): unknown {
  const length = typeof content === 'string' ? content.length : jsonLength(content);
  if (length <= MAX_TOOL_OUTPUT_LENGTH) return content;
  return `${shorten(content, MAX_TOOL_OUTPUT_LENGTH)} (cut after ${MAX_TOOL_OUTPUT_LENGTH} characters)`;
}
