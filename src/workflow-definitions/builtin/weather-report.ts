import type { WorkflowSource } from './source';

export const weatherReport: WorkflowSource = {
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
