import type { WorkflowSource } from './source';

export const calculateOverFetched: WorkflowSource = {
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
