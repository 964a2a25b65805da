import type { WorkflowSource } from './source';

export const summarisePage: WorkflowSource = {
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
