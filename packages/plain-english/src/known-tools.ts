import type { ParameterType, ToolDescription, ToolParameter } from './types';

/*
 * The tools for which the rules have readers of their own. A caller offers them under these names and with these parameters;
 * every other tool is chosen by the words of its description.
 */

export const HTTP_METHODS = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
export type HttpMethod = (typeof HTTP_METHODS)[number];

export const CALCULATOR_OPERATIONS = ['add', 'subtract', 'multiply', 'divide'] as const;
export type CalculatorOperation = (typeof CALCULATOR_OPERATIONS)[number];

export const CALCULATOR: ToolDescription = {
  name: 'calculator',
  description: 'Adds, subtracts, multiplies or divides two numbers.',
  parameters: {
    operation: choice(CALCULATOR_OPERATIONS, 'What to do with the two numbers'),
    a: required('number', 'The first number: what is added to, subtracted from, multiplied or divided'),
    b: required('number', 'The second number: what is added, subtracted, multiplied by or divided by'),
  },
};

const API_CALL: ToolDescription = {
  name: 'api_call',
  description:
    'Sends an HTTP request and returns the status and the body of the response, whatever the status.',
  parameters: {
    url: required('string', 'The http or https address to request'),
    method: optional(
      choice(
        [...HTTP_METHODS, ...HTTP_METHODS.map((method) => method.toLowerCase())],
        'The HTTP method; GET if left out',
      ),
    ),
    headers: optional(required('object', 'Request headers by name')),
    body: optional(required('any', 'The request body: a text is sent as it is, anything else as JSON')),
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
        'True where a POST, PUT, PATCH or DELETE may be sent again when its outcome is unknown. It then has the same Idempotency-Key',
      ),
    ),
  },
};

export const JSON_READER: ToolDescription = {
  name: 'json_reader',
  description:
    'Reads a value out of a JSON text with a JSONPath query. A query for one place returns the value there, ' +
    'any other the array of all values found.',
  parameters: {
    jsonString: required('string', 'The JSON text'),
    path: required('string', 'A JSONPath query (RFC 9535), such as $.name or $.items[*].id'),
  },
};

const FILE_READ: ToolDescription = {
  name: 'file_read',
  description: "Reads a file from the server's file folder.",
  parameters: {
    path: required('string', 'Where the file is inside the file folder, such as reports/may.txt'),
    encoding: optional(
      choice(['utf8', 'base64'], 'How the content is returned; utf8 if left out, base64 for binary files'),
    ),
  },
};

const WEATHER: ToolDescription = {
  name: 'weather',
  description: 'Tells the current weather at a place.',
  parameters: {
    location: required(
      'string',
      'The name of a city or place, if need be with its country or region: Paris, Texas',
    ),
    units: optional(
      choice(['metric', 'imperial'], 'metric (°C, km/h) or imperial (°F, mph); metric if left out'),
    ),
  },
};

export const KNOWN_TOOLS: readonly ToolDescription[] = [
  CALCULATOR,
  API_CALL,
  JSON_READER,
  FILE_READ,
  WEATHER,
];

function required(type: ParameterType, description: string): ToolParameter {
  return { type, description, required: true };
}

function choice(choices: readonly string[], description: string): ToolParameter {
  return { ...required('string', description), enum: [...choices] };
}

function optional(parameter: ToolParameter): ToolParameter {
  return { ...parameter, required: false };
}
