import type { WorkflowSource } from './source';

export const compareEndpoints: WorkflowSource = {
  id: 'compare-endpoints',
  name: 'Compare two endpoints',
  description:
    'Fetches two addresses at the same time, reads the same JSONPath from both and reports how far the second number is from the first.',
  estimatedTime: '1-3 seconds',
  inputs: {
    first: { description: 'The first http or https address' },
    second: { description: 'The second http or https address' },
    path: { description: 'A JSONPath query for a number in both, such as $.total' },
  },
  steps: [
    {
      id: 'fetch_first',
      name: 'Fetch the first',
      description: 'Sends a GET request to the address in `first`.',
      type: 'api_call',
      config: { url: '{{input.first}}' },
    },
    {
      id: 'fetch_second',
      name: 'Fetch the second',
      description: 'Sends a GET request to the address in `second`, at the same time.',
      type: 'api_call',
      dependsOn: [],
      config: { url: '{{input.second}}' },
    },
    {
      id: 'read_first',
      name: 'Read the number of the first',
      description: 'Reads what `path` finds in the JSON of the first address.',
      type: 'tool_execution',
      dependsOn: ['fetch_first'],
      config: {
        toolName: 'json_reader',
        args: { jsonString: '{{fetch_first.result.data}}', path: '{{input.path}}' },
      },
    },
    {
      id: 'read_second',
      name: 'Read the number of the second',
      description: 'Reads what `path` finds in the JSON of the second address.',
      type: 'tool_execution',
      dependsOn: ['fetch_second'],
      config: {
        toolName: 'json_reader',
        args: { jsonString: '{{fetch_second.result.data}}', path: '{{input.path}}' },
      },
    },
    {
      id: 'difference',
      name: 'Subtract the first from the second',
      description:
        'Reports how far the second number is above the first; the result is negative where it is below.',
      type: 'tool_execution',
      dependsOn: ['read_first', 'read_second'],
      config: {
        toolName: 'calculator',
        args: {
          operation: 'subtract',
          a: '{{read_second.result.result}}',
          b: '{{read_first.result.result}}',
        },
      },
    },
  ],
};
