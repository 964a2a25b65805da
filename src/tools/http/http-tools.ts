import { isHoldfastError, toolError } from '../../base/errors';
import { nextLargePiece } from '../../base/async/large-pieces';
import { parseJson } from '../../base/json/parse';
import { mayRunTwice } from '../../contracts/runs/calls';
import { jsonLength } from '../../contracts/json-length';
import type { Egress } from '../../egress/egress';
import type { Sandbox } from '../../sandbox/sandbox';
import { type Redactor, withoutCredentials } from '../../secrets/redactor';
import type { SecretBox } from '../../secrets/secret-box';
import { TemplateReferenceError } from '../../templates/reference-errors';
import { createApiCall, type HttpAnswer } from '../builtin/api-call';
import { compileJsonQuery } from '../builtin/json-query';
import { readByQuery } from '../builtin/run-json-query';
import type { HttpTools, ToolArguments, ToolContext, ToolOutput } from '../tool';
import { requestOf } from './http-request';
import { openHeaders } from './sealed-headers';

export interface HttpToolsPorts {
  readonly egress: Egress;
  readonly largeJson: Pick<Sandbox, 'rewriteJson'>;
  readonly sandbox: Pick<Sandbox, 'queryJson'>;
  readonly secrets: SecretBox;
  readonly redactor: Pick<Redactor, 'credentialsIn'>;
}

export function createHttpTools({
  egress,
  largeJson,
  sandbox,
  secrets,
  redactor,
}: HttpToolsPorts): HttpTools {
  const apiCall = createApiCall(egress, largeJson, sandbox, dataAlone);
  return {
    async call({ toolName, args, implementation, annotations }, context) {
      const headers = openHeaders(implementation, { secrets, tenant: context.owner.tenant, name: toolName });
      const request = fill(implementation, headers, args);
      const repeatable = mayRunTwice({ toolName, args, implementation, annotations });
      try {
        const output = await apiCall.run({ ...request, repeatable }, context);
        return await select(output, implementation.output, sandbox, context);
      } catch (error) {
        // A server that refuses a credential may repeat it.
        if (isHoldfastError(error)) throw withoutCredentials(error, secretsOf(request, redactor));
        throw error;
      }
    },
  };
}

function fill(...parts: Parameters<typeof requestOf>): ToolArguments {
  try {
    return requestOf(...parts);
  } catch (error) {
    if (error instanceof TemplateReferenceError) throw toolError(error.message);
    throw error;
  }
}

function dataAlone({ data, json, encoding }: HttpAnswer): ToolOutput {
  if (json !== undefined) return { value: undefined, json };
  return { value: encoding === undefined ? data : { data, encoding } };
}

/** What a query finds in an output: the value for a query of one place, else all values. */
async function select(
  output: ToolOutput,
  path: string | undefined,
  sandbox: Pick<Sandbox, 'queryJson'>,
  context: ToolContext,
): Promise<ToolOutput> {
  if (path === undefined) return output;
  if (output.json !== undefined) await nextLargePiece();
  const document = output.json === undefined ? output.value : parseJson(Buffer.from(output.json).toString());
  const length = output.json?.length ?? jsonLength(document);
  return { value: await readByQuery(sandbox, compileJsonQuery(path), { path, document, length }, context) };
}

/** Shorter values of headers are words that occur elsewhere. */
const MIN_SECRET_LENGTH = 8;

/** What a server must not repeat: credentials by their names, and the values of headers, since their names do not say which are secret. */
function secretsOf(request: ToolArguments, redactor: HttpToolsPorts['redactor']): readonly string[] {
  const headers = Object.values(request['headers'] ?? {}).map(String);
  const values = headers.flatMap((value) => [value, value.replace(/^\w+\s+/, '')]);
  return [...redactor.credentialsIn(request), ...values.filter(({ length }) => length >= MIN_SECRET_LENGTH)];
}
