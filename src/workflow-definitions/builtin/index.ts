import { type PredefinedWorkflow, predefinedWorkflowSchema } from '../../contracts/http/workflows';
import { compareEndpoints } from './compare-endpoints';
import type { WorkflowSource } from './source';

const calculateOverFetched: WorkflowSource = {
  id: 'calculate-over-fetched',
  name: 'Calculate over fetched data',
  description: 'Fetches JSON, reads a number out of it and calculates with it.',
  estimatedTime: '1-2 seconds',
  inputs: {
    url: { description: 'The http or https address' },
    path: { description: 'A JSONPath query for the number, such as $.total' },
    operation: { description: 'add, subtract, multiply or divide', default: 'multiply', required: false },
    by: { description: 'The second number' },
  },
  steps: [
    {
      id: 'fetch',
      name: 'Fetch the address',
      description: 'Sends a GET request to `url`. Fails where no answer comes.',
      type: 'api_call',
      config: { url: '{{input.url}}' },
    },
    {
      id: 'read',
      name: 'Read the number',
      description: 'Reads what `path` finds in the fetched JSON. Fails where it finds nothing.',
      type: 'tool_execution',
      config: {
        toolName: 'json_reader',
        args: { jsonString: '{{fetch.result.data}}', path: '{{input.path}}' },
      },
    },
    {
      id: 'calculate',
      name: 'Calculate',
      description: 'Applies `operation` to the number that was read and `by`.',
      type: 'tool_execution',
      config: {
        toolName: 'calculator',
        args: { operation: '{{input.operation}}', a: '{{read.result.result}}', b: '{{input.by}}' },
      },
    },
  ],
};

const weatherReport: WorkflowSource = {
  id: 'weather-report',
  name: 'Weather report',
  description: 'Reports the weather at several places, which are asked for at the same time.',
  estimatedTime: '1-3 seconds',
  inputs: {
    places: { description: 'A list of cities or places' },
    units: { description: 'metric or imperial', default: 'metric', required: false },
  },
  steps: [
    {
      id: 'weather',
      name: 'Ask for the weather at each place',
      description:
        'Asks for the weather at each place, five at a time. One that fails does not end the workflow.',
      type: 'tool_execution',
      continueOnError: true,
      forEach: { items: '{{input.places}}', concurrency: 5 },
      config: { toolName: 'weather', args: { location: '{{item}}', units: '{{input.units}}' } },
    },
  ],
};

const summarisePage: WorkflowSource = {
  id: 'summarise-page',
  name: 'Summarise a page',
  description: 'Fetches a text or a page and has it summarised by a language model.',
  estimatedTime: '2-10 seconds',
  inputs: { url: { description: 'The http or https address of the text' } },
  steps: [
    {
      id: 'fetch',
      name: 'Fetch the page',
      description: 'Sends a GET request to `url`.',
      type: 'api_call',
      config: { url: '{{input.url}}' },
    },
    {
      id: 'summarise',
      name: 'Summarise it',
      description:
        'Has the fetched text summarised in at most 400 tokens. Skipped where the answer has a status of 400 or above.',
      type: 'llm_call',
      when: '{{fetch.result.status}} < 400',
      config: { prompt: 'Summarise: {{fetch.result.data}}', maxTokens: 400 },
    },
  ],
};

const fetchEach: WorkflowSource = {
  id: 'fetch-each',
  name: 'Fetch a list of addresses',
  description:
    'Fetches up to 1,000 addresses, five at a time. An address that fails is reported and does not affect the others.',
  estimatedTime: '1 second for five addresses',
  inputs: { urls: { description: 'A list of http or https addresses' } },
  steps: [
    {
      id: 'fetch',
      name: 'Fetch each address',
      description:
        'Sends a GET request to each address, five at a time. One that fails does not end the workflow.',
      type: 'api_call',
      continueOnError: true,
      forEach: { items: '{{input.urls}}', concurrency: 5 },
      config: { url: '{{item}}' },
    },
  ],
};

const fetchAndExtract: WorkflowSource = {
  id: 'fetch-and-extract',
  name: 'Fetch and extract',
  description: 'Fetches JSON from an address and reads one value out of it with a JSONPath query.',
  estimatedTime: '1-2 seconds',
  inputs: {
    url: { description: 'The http or https address' },
    path: { description: 'A JSONPath query, such as $.items[0].name' },
  },
  steps: [
    {
      id: 'fetch',
      name: 'Fetch the address',
      description: 'Sends a GET request to `url` and asks for JSON.',
      type: 'api_call',
      config: { url: '{{input.url}}', headers: { accept: 'application/json' } },
    },
    {
      id: 'extract',
      name: 'Read the value',
      description: 'Reads what `path` finds in the fetched JSON. Fails where it finds nothing.',
      type: 'tool_execution',
      config: {
        toolName: 'json_reader',
        args: { jsonString: '{{fetch.result.data}}', path: '{{input.path}}' },
      },
    },
  ],
};

/**
 * The workflows that come with the service, by id. They are written in the same language as the workflows of callers.
 */
export const builtinWorkflows: readonly PredefinedWorkflow[] = [
  calculateOverFetched,
  compareEndpoints,
  fetchAndExtract,
  fetchEach,
  summarisePage,
  weatherReport,
].map((definition) => predefinedWorkflowSchema.parse(definition));
