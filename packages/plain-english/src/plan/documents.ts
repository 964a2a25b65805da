import type { ToolDescription } from '../types';
import { isObject } from '../json/is-object';
import { Draft } from '../http/draft';
import { isRequestVerb, readMethod } from '../http/methods';
import { KNOWN_TOOLS } from '../known-tools';
import { readDocument, type SourceDocument } from '../readers/document';
import type { Token, TokenText } from '../text/token';
import { asksDocument, asksForNumber, asksNothing, withoutFetching } from './asks-document';
import { findOtherRequest } from './other-request';
import { attempt, type Attempt } from './problem';
import type { StepOutput } from './resolve-step';
import type { PlannedStep } from './step';

const OWN_TOOLS = new Set(KNOWN_TOOLS.map(({ name }) => name));
const REQUIRED = ['json_reader', 'calculator'];

type Steps = readonly PlannedStep[];

/**
 * The plan of a sentence about documents: those that it has in it, or those that its first calls have brought. What is asked
 * is looked up in them before a path is chosen. While they are not there, the plan is made by the words alone, and it is made
 * again when they are.
 * @param byWords plans without looking into documents
 * @throws PlainEnglishError where the documents lack what is asked, or where two places could be meant
 */
export function planDocuments(
  text: TokenText,
  tools: readonly ToolDescription[],
  outputs: readonly StepOutput[],
  byWords: () => Steps,
): Steps {
  const plan = attempt(byWords);
  const steps = plan.value ?? [];
  const { tokens } = text;
  const urls = tokens.filter(({ kind }) => kind === 'url');
  const inline = tokens.filter((token, at) => token.kind === 'json' && tokens[at - 1]?.end !== token.start);
  const isOffered = (name: string): boolean => tools.some((tool) => tool.name === name);
  const isQuery = urls.length === 0 && tokens.some(({ kind }) => kind === 'jsonpath');
  const isOther = steps.some(({ toolName }) => !OWN_TOOLS.has(toolName));
  if (!REQUIRED.every(isOffered) || isOther || isQuery || isRequestProblem(plan)) return settled(plan);
  const files = steps.filter(({ toolName }) => toolName === 'file_read');
  const isSource = steps.some(({ toolName }) => toolName === 'api_call' || toolName === 'file_read');
  if (urls.length === 0 && inline.length > 0 && !isSource) {
    const documents = inline.map((token) => ({ value: token.value, reference: token.text }));
    return readDocument(text, documents, 0);
  }
  if (urls.length === 0 && files.length > 0) return ofOutputs(text, files, outputs, plan);
  const isFetched = urls.length > 0 && inline.length === 0 && isOffered('api_call');
  const fetches = isFetched ? fetchesOf(text, urls, steps) : undefined;
  return fetches ? ofOutputs(text, fetches, outputs, plan) : settled(plan);
}

/** True for a request that sends something, and lacks something. */
function isRequestProblem({ error }: Attempt<Steps>): boolean {
  if (error?.details['toolName'] !== 'api_call') return false;
  const args = error.details['extractedArgs'];
  return isObject(args) && (args['method'] !== 'GET' || args['url'] !== undefined);
}

function settled({ value, error }: Attempt<Steps>): Steps {
  if (error) throw error;
  return value;
}

/** The calls that bring documents, and what is asked about these when they have brought them. */
function ofOutputs(
  text: TokenText,
  fetches: Steps,
  outputs: readonly StepOutput[],
  plan: Attempt<Steps>,
): Steps {
  if (outputs.length < fetches.length)
    return plan.value && startsWith(plan.value, fetches) ? plan.value : fetches;
  const documents = fetches.map((fetch, at) => documentOf(fetch, outputs[at], at));
  if (!documents.every((document): document is SourceDocument => document !== undefined))
    return settled(plan);
  const question = { source: text.source, tokens: withoutFetching(text.tokens) };
  const asked = attempt(() => readDocument(question, documents, fetches.length));
  return asked.error && asksNothing(question.tokens) ? fetches : [...fetches, ...settled(asked)];
}

/** The requests that come first; undefined where one of them does more than read. */
function fetchesOf({ source, tokens }: TokenText, urls: readonly Token[], steps: Steps): Steps | undefined {
  const planned = steps.filter(({ toolName }) => toolName === 'api_call');
  const isSent = ({ args }: PlannedStep): boolean => args['body'] !== undefined;
  const isChange = planned.some((step) => step.args['method'] !== 'GET' || isSent(step));
  const asksNumber = asksForNumber(tokens);
  const isSure = planned.some((step) => step.args['method'] === 'DELETE' || isSent(step));
  if (isChange && (!asksNumber || isSure)) return undefined;
  if (planned.length === urls.length && !isChange) return planned;
  const isRequest = (readMethod(new Draft({ source, tokens })).method ?? 'GET') !== 'GET';
  if (!isChange && (!asksDocument(tokens) || (isRequest && !asksNumber))) return undefined;
  const words = tokens.filter(({ lower }) => !isRequestVerb(lower) && lower !== 'convert');
  if (findOtherRequest({ source, tokens: words }) !== undefined) return undefined;
  return urls.map(({ value }) => ({ toolName: 'api_call', args: { url: String(value), method: 'GET' } }));
}

function startsWith(steps: Steps, fetches: Steps): boolean {
  return fetches.every((fetch, at) => steps[at] === fetch);
}

function documentOf(
  fetch: PlannedStep,
  output: StepOutput | undefined,
  at: number,
): SourceDocument | undefined {
  const part = fetch.toolName === 'file_read' ? 'content' : 'data';
  const data = isObject(output?.output) ? output.output[part] : undefined;
  const reference = `{{${at + 1}.${part}}}`;
  if (typeof data === 'object' && data !== null) return { value: data, reference };
  if (typeof data !== 'string') return undefined;
  try {
    return { value: JSON.parse(data) as unknown, reference };
  } catch {
    return undefined;
  }
}
