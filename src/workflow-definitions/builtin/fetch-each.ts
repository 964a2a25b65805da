import type { WorkflowSource } from './source';

export const fetchEach: WorkflowSource = {
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
