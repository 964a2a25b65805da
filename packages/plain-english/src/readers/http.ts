import { asksForRequest, isCovered, isUnreal } from '../http/asking';
import { readCurl } from '../http/curl';
import { addressOf } from '../http/draft';
import { readRequest, type ReadRequest } from '../http/request';
import { namedPart } from '../json/named-part';
import { splitClauses } from '../plan/clauses';
import { notUnderstood } from '../plan/problem';
import { hasTool, incomplete, referenceBack, type ReadContext, type Reading } from '../plan/reading';
import type { PlannedStep } from '../plan/step';
import type { ToolDescription } from '../types';
import type { TokenText } from '../text/token';
import { readRegistered } from './registered';
import { wordsTagged } from '../text/lexicon/words';

const REQUEST_NOUNS = new Set(
  'api endpoint url request webhook website webpage address site server'.split(' '),
);
const REQUEST_VERBS = wordsTagged('request-verbs');
const METHODS_WITH_BODY = new Set(['post', 'put', 'patch', 'delete']);
const SCORE = 1.1;
const REMARKS = /^(?:it|this|that|my|our|the|we|i|they|he|she)$/;
const OTHER_SCHEME = /(?:^|[\s"'<(`])(?!https?:)[a-z][a-z0-9+.-]{1,9}:\/\/\S/i;

/** Reads a clause as HTTP requests. */
export function readHttp(clause: TokenText, context: ReadContext): Reading | undefined {
  if (!hasTool(context, 'api_call')) return undefined;
  const read = readRequest(clause, referenceBack(context));
  const { requests, parts, draft, isNamed, unclear } = read;
  if (requests.length === 0) return lacksAddress(clause, parts);
  // An address in the middle of something else is no request to fetch it.
  if (!asksForRequest(draft, isNamed)) return undefined;
  if (unclear !== undefined) return incomplete(1, problemOf(read));
  const steps: PlannedStep[] = requests.map((args) => ({ toolName: 'api_call', args: { ...args } }));
  const part = requests.length === 1 && parts.method === 'GET' ? readPart(clause, context) : undefined;
  if (part) steps.push(part);
  return { score: SCORE, steps };
}

/** `get the score from https://…`: the part of the response that is named before the address. */
function readPart({ tokens }: TokenText, context: ReadContext): PlannedStep | undefined {
  const address = tokens.findIndex((token) => addressOf(token) !== undefined);
  const part = hasTool(context, 'json_reader') ? namedPart(tokens.slice(0, address)) : undefined;
  if (!part) return undefined;
  const args = { jsonString: `{{${context.steps.length + 1}.data}}`, path: part };
  return { toolName: 'json_reader', args };
}

function problemOf({ unclear = '', requests, parts }: ReadRequest): Parameters<typeof incomplete>[1] {
  const message = `What "${unclear.slice(0, 80)}" is in the request is not clear: write the body as JSON, or as name=value.`;
  return { message, toolName: 'api_call', extractedArgs: { ...(requests[0] ?? parts) } };
}

/**
 * The one request that a text as a whole describes, with headers and fields in sentences of their own; undefined where it
 * asks for more than that.
 * @throws PlainEnglishError `QUERY_NOT_UNDERSTOOD` where the request is not to be made, or a part of it has no place
 */
export function wholeRequest(
  text: TokenText,
  tools: readonly ToolDescription[],
): readonly PlannedStep[] | undefined {
  const context = { tools, steps: [] };
  if (!hasTool(context, 'api_call')) return undefined;
  const read = readRequest(text);
  const { requests, parts, draft, isNamed } = read;
  const [args, other] = requests;
  const curl = readCurl(text.source);
  if (curl && args && isUnreal(draft)) throw notUnderstood('The text does not ask to send the request.');
  if (typeof curl === 'string') {
    if (args)
      throw notUnderstood(`What "${curl.slice(0, 80)}" means to curl is not known here.`, {
        toolName: 'api_call',
      });
  } else if (curl?.url !== undefined) return [{ toolName: 'api_call', args: curl }];
  if (!args && OTHER_SCHEME.test(text.source))
    throw notUnderstood('Only http and https addresses can be requested.');
  if (!args || other || isRival(text, context)) return undefined;
  if (isUnreal(draft)) throw notUnderstood('The text does not ask to send the request.');
  if (!asksForRequest(draft, isNamed) || !isWhole(read, tools)) return undefined;
  if (read.unclear !== undefined) {
    const { message, ...details } = problemOf(read);
    throw notUnderstood(message, details);
  }
  const isPlain = parts.method === 'GET' && parts.headers === undefined && parts.body === undefined;
  const part = isPlain ? readPart(text, context) : undefined;
  return [{ toolName: 'api_call', args: { ...args } }, ...(part ? [part] : [])];
}

/** True where what comes after the address belongs to the request, or asks for its answer as a whole. */
function isWhole({ draft, parts }: ReadRequest, tools: readonly ToolDescription[]): boolean {
  const numbers = new Map(draft.tokens.map(({ start }, at) => [start, at]));
  return splitClauses(draft.text, tools).every(({ tokens }) => {
    const from = numbers.get(tokens[0]?.start ?? -1) ?? 0;
    const to = from + tokens.length;
    if (to <= draft.target) return true;
    const isUsed = tokens.some((_, index) => from + index !== draft.target && draft.isUsed(from + index));
    if (isUsed || isCovered(draft, Math.max(from, draft.target + 1), to)) return true;
    // `It is for the demo.`
    const isDetailed = parts.headers !== undefined || parts.body !== undefined;
    const isRemark =
      REMARKS.test(draft.word(from)) && !tokens.some(({ lower }) => /^(?:want|need|\?)$/.test(lower));
    return isDetailed && from > draft.target && isRemark;
  });
}

/** True where a registered tool takes the text at least as well. */
function isRival(text: TokenText, context: ReadContext): boolean {
  const rival = readRegistered(text, context);
  return rival !== undefined && rival.score >= (rival.problem ? SCORE + 0.3 : SCORE);
}

/** `call the api`, `post {…}`: a request without an address. */
function lacksAddress(
  { tokens }: TokenText,
  extractedArgs: Readonly<Record<string, unknown>>,
): Reading | undefined {
  const words = tokens.filter(({ kind }) => kind === 'word').map(({ lower }) => lower);
  const verb = words.find((word) => REQUEST_VERBS.has(word));
  if (verb === undefined) return undefined;
  const hasNoun = words.some((word) => REQUEST_NOUNS.has(word));
  const sendsJson = METHODS_WITH_BODY.has(verb) && tokens.some(({ kind }) => kind === 'json');
  const capital = tokens.some(({ text }) => /^(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)$/.test(text));
  if (!hasNoun && !sendsJson && !capital) return undefined;
  return incomplete(sendsJson ? 1.2 : 0.75, {
    message: 'The address to send the request to is missing.',
    missing: 'url',
    toolName: 'api_call',
    extractedArgs,
  });
}
