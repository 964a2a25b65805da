import { readAnswer, documentOf } from '../documents/reader';
import { readQuestion } from '../documents/question';
import { HTTP_METHODS, type HttpMethod } from '../known-tools';
import { isLight, isOrdered } from '../reading/light';
import type { PlannedStep, Problem, ReadContext, Reader, Reading } from '../reading/reading';
import { hasTool, referenceBack } from '../reading/steps';
import { setOf, wordsTagged } from '../text/lexicon/words';
import { lowerAt, type Token, type TokenText } from '../text/token';
import { readHeaders } from './headers';

const WEIGHT = 1.1;
/** Verbs and names of methods with the method that they mean; `send` says no more than that something is sent. */
const METHOD_OF = new Map<string, HttpMethod | 'send'>([
  ...HTTP_METHODS.map((method) => [method.toLowerCase(), method] as const),
  ...Array.from(wordsTagged('get'), (word) => [word, 'GET'] as const),
  ['remove', 'DELETE'],
  ...['send', 'submit', 'upload', 'push'].map((word) => [word, 'send'] as const),
]);
const NOUNS = wordsTagged('request-nouns');
const BODY = setOf('body payload json data text content message');
/** Words that may stand in a request that sends nothing. */
const BARE = setOf('to at on a an the for me using with can could would will you i want need and then');
const POLITE = setOf('please pls plz kindly now just thanks thx');
const POINTING = setOf('it that this result answer output response them these');
const NAMES: ReadonlySet<string> = new Set(HTTP_METHODS.map((method) => method.toLowerCase()));

/** Reads a clause as an HTTP request with one address: method, headers as `Name: value`, and a body in JSON or in quotes. */
export const readRequest: Reader = (clause, context) => {
  if (!hasTool(context, 'api_call')) return undefined;
  const { tokens } = clause;
  const [address, other] = tokens.filter(({ kind }) => kind === 'url' || kind === 'domain');
  const verb = findVerb(tokens);
  if (!address) return lacksAddress(tokens, verb);
  if (other || (address.kind === 'domain' && !verb)) return undefined;
  const headers = readHeaders(clause);
  const body = findBody(tokens, headers.read, context);
  const sent = body && 'POST';
  const method = verb?.method === 'send' ? sent : (verb?.method ?? (body ? undefined : 'GET'));
  const read = new Set([address, ...headers.read, ...(verb ? verb.tokens : []), ...(body?.read ?? [])]);
  for (const token of tokens) if (NOUNS.has(token.lower)) read.add(token);
  const args = {
    url: String(address.value),
    method: method ?? 'GET',
    ...(headers.read.size === 0 ? {} : { headers: headers.values }),
    ...(body === undefined ? {} : { body: body.value }),
  };
  // `post {…} to https://… and https://…`: what to do with the second is not said.
  const isList = !verb && context.steps.some(isChange);
  if (isList) return undefined;
  const at = tokens.findIndex((token) => token === verb?.tokens[0]);
  if (verb && !isOrdered(tokens, at) && !READING.has(method ?? 'GET')) return undefined;
  const problem = findProblem(method, body !== undefined, tokens, read);
  if (problem) return { problem: { ...problem, toolName: 'api_call', extractedArgs: args }, weight: 0.85 };
  const request: Reading = { steps: [{ toolName: 'api_call', args }], read, weight: WEIGHT };
  const isPlain = args.method === 'GET' && body === undefined && hasTool(context, 'json_reader');
  return (isPlain ? withPart(request, clause, address, context) : undefined) ?? request;
};

/** These change nothing at the other side. */
const READING: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);
function isChange({ toolName, args }: PlannedStep): boolean {
  return toolName === 'api_call' && !READING.has(String(args['method']));
}

interface MethodVerb {
  readonly method: HttpMethod | 'send';
  readonly tokens: readonly Token[];
}

/** The word that says the method: its name before any verb, and of two verbs none. */
function findVerb(tokens: readonly Token[]): MethodVerb | undefined {
  const named = tokens.filter(
    ({ text, lower }, at) =>
      NAMES.has(lower) && (isCapital(text) || /^(?:request|method)$/.test(lowerAt(tokens, at + 1))),
  );
  const verbs = tokens.filter(({ kind, lower }) => kind === 'word' && METHOD_OF.has(lower));
  const [name] = named;
  if (name) {
    const isOnly = named.every(({ lower }) => lower === name.lower);
    const method = name.lower.toUpperCase() as HttpMethod;
    // `send a GET request`, `call … using GET`
    const vague = verbs.filter(
      ({ lower }) => lower !== 'get' && /^(?:send|GET)$/.test(METHOD_OF.get(lower) ?? ''),
    );
    return isOnly ? { method, tokens: [...named, ...vague] } : undefined;
  }
  // In another place a verb is a word of what is asked: `how many tickets are open`.
  const verb = tokens.find(
    (token) => token.kind === 'word' && (!isLight(token) || METHOD_OF.has(token.lower)),
  );
  const method = METHOD_OF.get(verb?.lower ?? '');
  return verb && method && { method, tokens: [verb] };
}

const isCapital = (text: string): boolean => /^[A-Z]+$/.test(text);

interface Body {
  readonly value: unknown;
  readonly read: readonly Token[];
}

/** A JSON text, a quotation that is called a body, or what came of the call before. */
function findBody(
  tokens: readonly Token[],
  taken: ReadonlySet<Token>,
  context: ReadContext,
): Body | undefined {
  const free = tokens.filter((token) => !taken.has(token));
  const nouns = free.filter(({ lower }) => BODY.has(lower));
  const [json, other] = free.filter(({ kind }) => kind === 'json');
  if (json) return other ? undefined : { value: json.value, read: [json, ...nouns] };
  const [quoted] = free.filter(({ kind }, at) => kind === 'quoted' && BODY.has(lowerAt(free, at - 1)));
  if (quoted) return { value: quoted.value, read: [quoted, ...nouns] };
  const earlier = referenceBack(context);
  const sends = tokens.some(({ lower }) => /^(?:send|POST|PUT|PATCH)$/.test(METHOD_OF.get(lower) ?? ''));
  const [pointing] = free.filter(({ lower }) => POINTING.has(lower));
  return pointing && sends && earlier !== undefined ? { value: earlier, read: [pointing] } : undefined;
}

/** What a request lacks that says that it sends something. */
function findProblem(
  method: HttpMethod | undefined,
  hasBody: boolean,
  tokens: readonly Token[],
  read: ReadonlySet<Token>,
): Problem | undefined {
  if (method === undefined) return { message: 'The method of the request is not said.', missing: 'method' };
  const isReading = READING.has(method);
  if (hasBody) return isReading ? { message: `A ${method} request takes no body.` } : undefined;
  if (isReading || method === 'DELETE') return undefined;
  // Without a body nothing may stand there that may have been meant as one: `post hello to https://…`.
  const isPlain = ({ kind, lower }: Token): boolean =>
    kind === 'symbol' || BARE.has(lower) || POLITE.has(lower);
  const announces = tokens.some((token) => BODY.has(token.lower) || (!read.has(token) && !isPlain(token)));
  return announces
    ? { message: 'The body of the request is missing: write it as JSON.', missing: 'body' }
    : undefined;
}

const BEFORE_ADDRESS = setOf('from of at in on');

/**
 * `get the score from https://…`: the part of the response that is named right before the address. It is read when the response is there,
 * as `the open tickets` may be all of it.
 */
function withPart(
  request: Reading,
  { tokens }: TokenText,
  address: Token,
  { steps, outputs }: ReadContext,
): ReturnType<Reader> {
  const before = tokens.slice(0, tokens.indexOf(address));
  if (!BEFORE_ADDRESS.has(before.at(-1)?.lower ?? '')) return undefined;
  const from = before.findIndex(
    (token) => token.kind === 'word' && (request.read.has(token) || /^(?:what|how)$/.test(token.lower)),
  );
  const isNamed = (token: Token): boolean => !request.read.has(token) && !isLight(token);
  if (from === -1 || before.slice(0, from).some(isNamed) || !before.some(isNamed)) return undefined;
  const question = readQuestion(
    before.slice(from).filter((token) => !request.read.has(token) || NOUNS.has(token.lower)),
  );
  if (!question) return undefined;
  const step = steps.length + 1;
  const read = new Set([...request.read, ...before]);
  if (outputs.length < step && /s$/.test(lowerAt(before, before.length - 2))) return { ...request, read };
  const document = outputs.length < step ? undefined : documentOf(step, outputs[step - 1]?.output);
  const part = readAnswer(question, document, `{{${step}.data}}`, before);
  return part && 'steps' in part ? { steps: [...request.steps, ...part.steps], read, weight: WEIGHT } : part;
}

/** `call the api`, `post {…}`: a request without an address. */
function lacksAddress(tokens: readonly Token[], verb: MethodVerb | undefined): ReturnType<Reader> {
  if (!verb) return undefined;
  const isNamed = verb.tokens.some(({ text }) => isCapital(text));
  const isRequest = tokens.some(({ lower }) =>
    /^(?:request|api|endpoint|url|webhook|website|webpage)$/.test(lower),
  );
  const sendsJson = verb.method !== 'GET' && tokens.some(({ kind }) => kind === 'json');
  if (!isNamed && !isRequest && !sendsJson) return undefined;
  const problem = {
    message: 'The address to send the request to is missing.',
    missing: 'url',
    toolName: 'api_call',
    extractedArgs: verb.method === 'send' ? {} : { method: verb.method },
  };
  return { problem, weight: 0.75 };
}
