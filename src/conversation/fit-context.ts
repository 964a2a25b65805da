import type { Degradation, Recalled } from '../contracts/http/conversations';
import type { ChatMessage } from '../contracts/http/llm';
import type { EarlierMessage } from '../contracts/runs/turns';
import type { ModelChoice } from '../contracts/runs/workflows';
import { fitFiles } from '../llm/fit-files';
import { roomFor } from '../llm/prompt-room';
import type { Prompt } from '../llm/prompt-tokens';
import type { LlmProvider } from '../llm/provider';
import { CONTEXT_TOKENS, contextText, type ContextText } from './context-text';

/** Each try has this share of the tokens of the one before, as tokens of memories are only estimated. */
const SMALLER = 0.7;
/** With fewer tokens no memory says anything. */
const MIN_CONTEXT_TOKENS = 20;

export interface FittedContext extends ContextText {
  /** Empty if nothing was left out. */
  readonly degraded: readonly Degradation[];
}

type Memories = Pick<Recalled, 'episodic' | 'semantic' | 'recent'>;

/**
 * Builds the text of memories for a model so that its prompt fits the model's context, if the size of that is known. First
 * recalled memories are left out, the worst first, and then the messages of the session, the oldest first.
 * @param build builds the messages with a text of memories, which may be empty
 * @param readMore reads what is sent with the messages, as in `Prompt`; it is called if the size is known
 */
export async function fitContext(
  provider: Pick<LlmProvider, 'contextTokens' | 'estimatePrompt'>,
  choice: Pick<ModelChoice, 'model' | 'maxTokens'>,
  recalled: Memories,
  build: (context: string) => Prompt['messages'],
  readMore: () => Promise<unknown> = () => Promise.resolve(undefined),
): Promise<FittedContext> {
  const { model } = choice;
  const whole = contextText(recalled);
  const size = await provider.contextTokens?.(model);
  const { estimatePrompt } = provider;
  if (size === undefined || estimatePrompt === undefined) return { ...whole, degraded: [] };
  const room = roomFor(size, choice);
  const more = await readMore();
  const fits = ({ text }: ContextText): boolean =>
    estimatePrompt({ messages: build(text), more, model }) <= room;
  let fitted = whole;
  for (let tokens = Math.min(CONTEXT_TOKENS, room); fitted.text !== '' && !fits(fitted); tokens *= SMALLER) {
    const isTooSmall = tokens < MIN_CONTEXT_TOKENS;
    fitted = isTooSmall ? { text: '', included: [] } : contextText(recalled, Math.floor(tokens), 1);
  }
  return { ...fitted, degraded: describeLeftOut(whole, fitted, recalled, { model, size }) };
}

/**
 * Leaves out the oldest of the messages that a caller has sent before the query, half of them at a time, until the prompt without
 * memories fits the model's context, if the size of that is known.
 * @param build builds the prompt with some of them
 */
export async function fitEarlier(
  provider: Pick<LlmProvider, 'contextTokens' | 'estimatePrompt'>,
  choice: Pick<ModelChoice, 'model' | 'maxTokens'>,
  earlier: readonly EarlierMessage[] = [],
  build: (earlier: readonly EarlierMessage[]) => Prompt['messages'],
): Promise<{ readonly earlier: readonly EarlierMessage[]; readonly degraded: readonly Degradation[] }> {
  const { model } = choice;
  const size = earlier.length === 0 ? undefined : await provider.contextTokens?.(model);
  const { estimatePrompt } = provider;
  if (size === undefined || estimatePrompt === undefined) return { earlier, degraded: [] };
  const room = roomFor(size, choice);
  let fitting = earlier;
  while (fitting.length > 0 && estimatePrompt({ messages: build(fitting), model }) > room)
    fitting = fitting.slice(Math.ceil(fitting.length / 2));
  const left = countOf(earlier.length - fitting.length, 'earlier messages');
  const reason = `The model "${model}" reads ${size} tokens`;
  const consequence = `left out of its prompt: ${left}`;
  return { earlier: fitting, degraded: left === undefined ? [] : [{ service: 'llm', reason, consequence }] };
}

/** A prompt that fits its model. */
export interface FittedPrompt {
  readonly messages: readonly ChatMessage[];
  readonly fitted: FittedContext;
  /** What was left out of it, and cut of its files. */
  readonly degraded: readonly Degradation[];
}

/** Fits the files of a prompt, which its user has sent, and then memories in what is left. @param build as in `fitContext` */
export async function fitPrompt(
  provider: Pick<LlmProvider, 'contextTokens' | 'estimatePrompt'>,
  choice: Pick<ModelChoice, 'model' | 'maxTokens'>,
  recalled: Memories,
  build: (context: string) => readonly ChatMessage[],
  readMore: () => Promise<unknown> = () => Promise.resolve(undefined),
): Promise<FittedPrompt> {
  const bare = build('');
  const hasFiles = bare.some((message) => message.role === 'user' && message.files !== undefined);
  const { messages: shortened, degraded } = hasFiles
    ? await fitFiles(provider, choice, bare, { more: await readMore(), reserve: CONTEXT_TOKENS })
    : { messages: bare, degraded: [] };
  const buildCut = (context: string): readonly ChatMessage[] =>
    degraded.length === 0 ? build(context) : withFilesOf(shortened, build(context));
  const fitted = await fitContext(provider, choice, recalled, buildCut, readMore);
  return { messages: buildCut(fitted.text), fitted, degraded: [...degraded, ...fitted.degraded] };
}

/** Gives the message with files those of other messages. */
function withFilesOf(
  others: readonly ChatMessage[],
  messages: readonly ChatMessage[],
): readonly ChatMessage[] {
  const files = others.flatMap((message) => (message.role === 'user' ? (message.files ?? []) : []));
  return messages.map((message) =>
    message.role === 'user' && message.files !== undefined ? { ...message, files } : message,
  );
}

function describeLeftOut(
  whole: ContextText,
  fitted: ContextText,
  { recent }: Memories,
  { model, size }: { readonly model: string; readonly size: number },
): Degradation[] {
  const includedIds = new Set(fitted.included);
  const ofSession = new Set(recent.map(({ id }) => id));
  const missing = whole.included.filter((id) => !includedIds.has(id));
  if (missing.length === 0) return [];
  const messages = missing.filter((id) => ofSession.has(id)).length;
  const counts = [
    countOf(missing.length - messages, 'memories'),
    countOf(messages, 'messages of the session'),
  ];
  return [
    {
      service: 'llm',
      reason: `The model "${model}" reads ${size} tokens`,
      consequence: `left out of its prompt: ${counts.filter(Boolean).join(' and ')}`,
    },
  ];
}

function countOf(count: number, what: string): string | undefined {
  return count === 0 ? undefined : `${count} ${what}`;
}
