import { z } from 'zod';
import { isHoldfastError, validationError } from '../../base/errors';
import { jsonObjectSchema } from '../../contracts/http/text-schema';
import { parametersOf, saysWhatElse } from '../../contracts/http/tool-schemas';
import type { JsonSchema } from '../../contracts/http/tools';
import { jsonLength } from '../../contracts/json-length';
import { outgoingHeaders } from '../../egress/headers';
import { parseHttpUrl } from '../../egress/hops';
import { describeNames } from '../../templates/known-names';
import { parseTemplate } from '../../templates/expression';
import { findReferencesIn, findStrayBraces } from '../../templates/resolve';
import { HTTP_METHODS } from '../builtin/declarations';
import { readExpected } from '../builtin/expected-status';
import { readHeaders } from '../builtin/headers';
import { compileJsonQuery } from '../builtin/json-query';
import { hasDotSegment } from './http-request';

/** Characters of JSON of one declaration. Every call carries it. */
const MAX_LENGTH = 65_536;
/** Scheme and host as they are written, and what ends them. */
const LITERAL_HOST = /^https?:\/\/[^/?#{}]+([/?#]|$)/i;

const status = z.union([z.int(), z.string().max(20)]);

/** How a caller registers a tool that is a request to a server of its own. */
export const httpDeclarationSchema = z.strictObject({
  method: z.enum(HTTP_METHODS).default('GET'),
  url: z
    .string()
    .min(1, 'must not be empty')
    .describe('http or https; templates such as {{args.orderId}} stand after the host, and are encoded'),
  query: jsonObjectSchema.optional().describe('Query parameters by name'),
  headers: z
    .record(z.string(), z.string())
    .optional()
    .describe('By name. They are stored encrypted and never shown'),
  body: z
    .unknown()
    .optional()
    .describe('A text as it is, any other value as JSON; "{{args}}" stands for all arguments'),
  expect: z
    .union([status, z.array(status).min(1).max(20)])
    .optional()
    .describe('The statuses that are a success, as in api_call; 2xx if left out'),
  output: z
    .string()
    .optional()
    .describe('A JSONPath query to what becomes the result; the body of the response if left out'),
});
export type HttpDeclaration = z.infer<typeof httpDeclarationSchema>;

/**
 * Checks what can be known of a declaration before a call: address, headers, statuses, query, and that each template names a
 * parameter of the tool.
 * @throws HoldfastError `VALIDATION` with a field such as `http.url`
 */
export function checkHttpDeclaration(declaration: HttpDeclaration, inputSchema: JsonSchema): void {
  if (jsonLength(declaration, MAX_LENGTH) > MAX_LENGTH)
    throw validationError('http', `must have at most ${MAX_LENGTH} characters of JSON`);
  const { url, headers = {}, expect, output } = declaration;
  // URLs drop tabs and line breaks, and read a backslash as a slash, so that another part would be the host.
  if (literalsOf(url).some((text) => /[\\\s\p{Cc}]/u.test(text)))
    throw validationError('http.url', 'must have no white space, control characters or backslashes');
  if (!LITERAL_HOST.test(url))
    throw validationError('http.url', 'must begin with http:// or https:// and a host without templates');
  if (hasDotSegment(url)) throw validationError('http.url', 'has a segment "." or ".."');
  within('http.url', () => parseHttpUrl(url));
  within('http.headers', () => outgoingHeaders(Object.fromEntries(readHeaders(headers, 'http.headers')), ''));
  readExpected(expect, 'http.expect');
  if (output !== undefined) within('http.output', () => compileJsonQuery(output));
  for (const part of ['url', 'query', 'headers', 'body'] as const)
    checkTemplates(declaration[part], `http.${part}`, inputSchema);
}

function literalsOf(url: string): string[] {
  return parseTemplate(url).filter((part) => typeof part === 'string');
}

function checkTemplates(value: unknown, field: string, inputSchema: JsonSchema): void {
  const [stray] = findStrayBraces(value);
  if (stray !== undefined) throw validationError(field, `has ${stray}, which is no template`);
  const parameters = parametersOf(inputSchema);
  const isOpen = saysWhatElse(inputSchema);
  for (const { text, root, path } of findReferencesIn(value)) {
    if (root !== 'args')
      throw validationError(field, `has ${text}: templates begin with args, as in {{args.id}}`);
    const [name] = path;
    if (name === undefined || isOpen || Object.hasOwn(parameters, name)) continue;
    throw validationError(
      field,
      `has ${text}, but there is no parameter "${name}"${describeNames(parameters, name)}`,
    );
  }
}

/** Runs a check that is written for calls, whose errors are of executions. */
function within(field: string, check: () => unknown): void {
  try {
    check();
  } catch (error) {
    if (!isHoldfastError(error) || error.code === 'VALIDATION') throw error;
    throw validationError(field, error.message);
  }
}
