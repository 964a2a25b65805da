import { BUILTIN_TOOL_NAMES, type BuiltinToolName } from '../../contracts/constants';
import type { ParameterType, ToolParameter } from '../../contracts/http/tools';
import { toInputSchema } from '../../contracts/http/tool-schemas';
import type { BuiltinTool } from '../tool';
import { PARSE_CHOICES } from './headers';

/** The declaration of a tool. It is data only, so that a registry can be seeded without loading any tool. */
export type ToolDeclaration = Pick<BuiltinTool, 'name' | 'description' | 'inputSchema'>;
type Named<Name extends BuiltinToolName> = ToolDeclaration & { readonly name: Name };

/** The methods api_call sends. */
export const HTTP_METHODS = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
export type HttpMethod = (typeof HTTP_METHODS)[number];

export const CALCULATOR_OPERATIONS = ['add', 'subtract', 'multiply', 'divide'] as const;
export type CalculatorOperation = (typeof CALCULATOR_OPERATIONS)[number];

export const FILE_ENCODINGS = ['utf8', 'base64'] as const;
export type FileEncoding = (typeof FILE_ENCODINGS)[number];

export const WEATHER_UNITS = ['metric', 'imperial'] as const;
export type WeatherUnits = (typeof WEATHER_UNITS)[number];

/** Callers write methods in upper and in lower case, and choices are compared exactly. */
export const METHOD_CHOICES: readonly string[] = [
  ...HTTP_METHODS,
  ...HTTP_METHODS.map((method) => method.toLowerCase()),
];

export const calculatorDeclaration: Named<'calculator'> = {
  name: 'calculator',
  description: 'Adds, subtracts, multiplies or divides two numbers.',
  inputSchema: toInputSchema({
    operation: choice(CALCULATOR_OPERATIONS, 'What to do with the two numbers'),
    a: required('number', 'The first number: what is added to, subtracted from, multiplied or divided'),
    b: required('number', 'The second number: what is added, subtracted, multiplied by or divided by'),
  }),
};

export const apiCallDeclaration: Named<'api_call'> = {
  name: 'api_call',
  description:
    'Sends an HTTP request and returns the status, the body and the headers of the response, whatever the status.',
  inputSchema: toInputSchema({
    url: required('string', 'The http or https address to request'),
    method: optional(choice(METHOD_CHOICES, 'The HTTP method; GET if left out')),
    headers: optional(required('object', 'Request headers by name')),
    params: optional(
      required('object', 'Query parameters by name: texts, numbers, booleans or lists of them'),
    ),
    body: optional(
      required(
        'any',
        'The request body: a text is sent as it is, an object as JSON, or as a form where Content-Type is ' +
          'application/x-www-form-urlencoded',
      ),
    ),
    form: optional(
      required(
        'array',
        'Instead of body: the parts of a multipart upload, as in {"name": "file", "filename": "a.txt", "content": "text"}; ' +
          'contentType and "encoding": "base64" if need be',
      ),
    ),
    parse: optional(choice(PARSE_CHOICES, 'How the response is read; by its content type if left out')),
    paginate: optional(
      required(
        'object',
        'Reads the pages of a list by GET: next ("link" or a JSONPath to the next address, or to a cursor for the query ' +
          'parameter param), items (a JSONPath to the list), max (pages; 10 if left out)',
      ),
    ),
    expect: optional(
      required(
        'any',
        'The statuses that are a success, such as 201, "2xx", "200-299" or a list of them; any other fails the call. ' +
          'Every status is one if left out',
      ),
    ),
    repeatable: optional(
      required(
        'boolean',
        'True if a POST, PUT, PATCH or DELETE may be sent again when its outcome is unknown. It then has the same Idempotency-Key',
      ),
    ),
  }),
};

export const jsonReaderDeclaration: Named<'json_reader'> = {
  name: 'json_reader',
  description:
    'Reads a value out of a JSON text with a JSONPath query. A query for one place returns the value there, ' +
    'any other the array of all values found.',
  inputSchema: toInputSchema({
    jsonString: required('string', 'The JSON text'),
    path: required('string', 'A JSONPath query (RFC 9535), such as $.name or $.items[*].id'),
  }),
};

export const fileReadDeclaration: Named<'file_read'> = {
  name: 'file_read',
  description: "Reads a file from the server's file folder.",
  inputSchema: toInputSchema({
    path: required('string', 'Where the file is inside the file folder, such as reports/may.txt'),
    encoding: optional(
      choice(FILE_ENCODINGS, 'How the content is returned; utf8 if left out, base64 for binary files'),
    ),
  }),
};

export const weatherDeclaration: Named<'weather'> = {
  name: 'weather',
  description: 'Tells the current weather at a place.',
  inputSchema: toInputSchema({
    location: required(
      'string',
      'The name of a city or place, if need be with its country or region: Paris, Texas',
    ),
    units: optional(choice(WEATHER_UNITS, 'metric (°C, km/h) or imperial (°F, mph); metric if left out')),
  }),
};

const DECLARATIONS: { readonly [Name in BuiltinToolName]: Named<Name> } = {
  calculator: calculatorDeclaration,
  api_call: apiCallDeclaration,
  json_reader: jsonReaderDeclaration,
  file_read: fileReadDeclaration,
  weather: weatherDeclaration,
};

/** Every built-in tool, in the order that lists show them. */
export const builtinDefinitions: readonly ToolDeclaration[] = BUILTIN_TOOL_NAMES.map(
  (name) => DECLARATIONS[name],
);

function required(type: ParameterType, description: string): ToolParameter {
  return { type, description, required: true };
}

function choice(choices: readonly string[], description: string): ToolParameter {
  return { ...required('string', description), enum: [...choices] };
}

function optional(parameter: ToolParameter): ToolParameter {
  return { ...parameter, required: false };
}
