import type { WorkflowSource } from './source';

export const fetchAndExtract: WorkflowSource = {
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
