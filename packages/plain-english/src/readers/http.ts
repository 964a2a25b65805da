import { isRequestVerb } from '../http/methods';
import { hasLooseValues, isAddress, readHttpRequest } from '../http/request';
import { namedPart } from '../json/named-part';
import { hasTool, incomplete, referenceBack, type ReadContext, type Reading } from '../plan/reading';
import type { PlannedStep } from '../plan/step';
import type { TokenText } from '../text/token';

const REQUEST_NOUNS = new Set([
  'api',
  'endpoint',
  'url',
  'request',
  'webhook',
  'website',
  'webpage',
  'address',
  'site',
  'server',
]);
const REQUEST_VERBS = new Set([
  'get',
  'fetch',
  'call',
  'hit',
  'post',
  'send',
  'put',
  'patch',
  'delete',
  'request',
  'curl',
  'ping',
  'make',
  'do',
  'query',
  'download',
  'open',
  'visit',
]);
/** So few tokens are hardly more than the address itself. */
const SHORT = 4;
const METHODS_WITH_BODY = new Set(['post', 'put', 'patch', 'delete']);

/** Reads a clause as HTTP requests. */
export function readHttp(clause: TokenText, context: ReadContext): Reading | undefined {
  if (!hasTool(context, 'api_call')) return undefined;
  const earlier = referenceBack(context);
  const request = readHttpRequest(clause, earlier === undefined ? {} : { earlier });
  const { urls, ...rest } = request;
  if (urls.length === 0) return lacksAddress(clause, rest);
  if (hasLooseValues(clause.tokens, request)) {
    const message =
      'What the body of the request is to look like is not clear: write it as JSON, or as name=value.';
    return incomplete(1, { message, toolName: 'api_call', extractedArgs: { url: urls[0], ...rest } });
  }
  const steps: PlannedStep[] = urls.map((url) => ({ toolName: 'api_call', args: { url, ...rest } }));
  const asked = clause.tokens.some(({ kind, lower }) => kind === 'word' && isRequestVerb(lower));
  const part =
    urls.length === 1 && rest.method === 'GET' && hasTool(context, 'json_reader')
      ? readPart(clause)
      : undefined;
  if (part) {
    const args = { jsonString: `{{${context.steps.length + 1}.data}}`, path: part.path };
    steps.push({ toolName: 'json_reader', args, pathWords: part.pathWords });
  }
  // An address in the middle of something else is no request to fetch it.
  if (!asked && clause.tokens.length > SHORT) return undefined;
  return { score: asked ? 1.1 : 0.6, steps };
}

/** `get the score from https://…`: the part of the response that is named before the address. */
function readPart({ tokens }: TokenText): ReturnType<typeof namedPart> {
  return namedPart(tokens.slice(0, tokens.findIndex(isAddress)));
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
