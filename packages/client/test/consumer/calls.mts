import { createClient, createRecordsClient, type RunEvent, type WorkflowDefinition } from 'holdfast-client';

const client = createClient({ baseUrl: 'http://127.0.0.1:3000', apiKey: 'hfast_key' });
const records = createRecordsClient({ baseUrl: 'http://127.0.0.1:3001' });

const definition: WorkflowDefinition = {
  name: 'Totals',
  steps: [
    { id: 'get', type: 'api_call', config: { url: 'http://peer/', method: 'POST', body: { a: 1 } } },
    {
      id: 'sum',
      type: 'tool_execution',
      config: { toolName: 'calculator', args: { operation: 'add', a: '{{item}}', b: 2 } },
      forEach: { items: [1, 2] },
      retry: { maximumAttempts: 2 },
    },
    {
      id: 'ask',
      type: 'llm_call',
      config: { prompt: 'Say {{sum.result}}' },
      approval: true,
      dependsOn: ['get'],
    },
  ],
};

/** Calls that have to compile. */
export async function right(): Promise<void> {
  const sum = await client.result(
    client.POST('/api/tools/execute', { body: { toolName: 'calculator', args: { a: 1 } } }),
  );
  sum.toolName.toUpperCase();
  const many = await client.POST('/api/tools/execute-multiple', {
    body: { tools: [{ toolName: 'calculator' }] },
  });
  if (many.error !== undefined) many.error.code.toUpperCase();
  await client.POST('/api/tools/execute-sequential', {
    body: { tools: [{ toolName: 'calculator', args: {} }], options: { timeout: 5 } },
    params: { header: { 'Idempotency-Key': 'mine', Prefer: 'wait=5' } },
  });
  await client.POST('/api/tools/register', { body: { name: 'one', parameters: {}, execute: '() => 1' } });
  const run = await client.result(
    client.POST('/api/workflow/execute-custom', { body: { workflow: definition } }),
  );
  if (run.status === 'completed') run.results['sum']?.status.toUpperCase();
  else run.steps[0]?.waitsFor.join();
  await client.POST('/api/workflow/execute-custom', {
    body: { workflowId: 'totals', inputs: { a: 1 }, dryRun: true },
  });
  const checked = await client.result(
    client.POST('/api/workflow/validate', { body: { workflow: { any: 1 } } }),
  );
  checked.problems.map(({ step, field, message }) => `${step ?? ''} ${field} ${message}`);
  await client.POST('/api/workflow/workflows', { body: { ...definition, id: 'totals' } });
  const stored = await client.result(
    client.GET('/api/workflow/workflows/{id}', { params: { path: { id: 'totals' } } }),
  );
  stored.steps[0]?.type.toUpperCase();
  const turn = await client.result(
    client.POST('/api/agent/execute', { body: { query: 'Hi', options: { userId: 'ada', sessionId: 's' } } }),
  );
  turn.response.toUpperCase();
  await client.POST('/api/memory/episodic', {
    body: { userId: 'ada', sessionId: 's', content: 'x', metadata: { importance: 0.5, tags: ['x'] } },
  });
  await client.POST('/api/memory/search', { body: { userId: 'ada', query: 'x' } });
  await client.GET('/api/memory/facts/{userId}', { params: { path: { userId: 'ada' } } });
  const runs = await client.result(
    client.GET('/api/runs', { params: { query: { status: 'failed', limit: 5 } } }),
  );
  if ('runs' in runs) runs.runs[0]?.traceId.toUpperCase();
  const record = await client.run('trace').wait();
  record.steps?.[0]?.name.toUpperCase();
  const types: RunEvent['type'][] = [];
  for await (const event of client.run({ traceId: 'trace', workflowId: 'id' }).events({ after: 3 }))
    if ('sequence' in event) types.push(event.type);
  await client.approvals.answer('id', { decision: 'deny', comment: 'no' });
  await client.POST('/api/keys', { body: { name: 'reports', scopes: ['read'] } });
  await client.GET('/api/health');
  await client.DELETE('/api/tools/{toolName}', { params: { path: { toolName: 'one' } } });
  await records.GET('/api/facilities', { params: { query: { limit: 5 } } });
}

/** Calls that must not compile. */
export async function wrong(): Promise<void> {
  // @ts-expect-error a wrong type
  await client.POST('/api/tools/execute', { body: { toolName: 1 } });
  // @ts-expect-error a field that the operation does not have
  await client.POST('/api/tools/execute', { body: { toolName: 'calculator', optoins: {} } });
  // @ts-expect-error an option that is misspelt
  await client.POST('/api/tools/execute', { body: { toolName: 'calculator', options: { timeuot: 5 } } });
  await client.POST('/api/workflow/execute-custom', {
    body: {
      workflow: {
        name: 'x',
        // @ts-expect-error a type that no step has
        steps: [{ id: 'a', type: 'tool', config: { url: 'http://peer/' } }],
      },
    },
  });
  // @ts-expect-error no body
  await client.POST('/api/tools/execute');
  // @ts-expect-error no such parameter
  await client.GET('/api/runs', { params: { query: { stauts: 'failed' } } });
  // @ts-expect-error no parameter of the path
  await client.GET('/api/runs/{traceId}');
  // @ts-expect-error no such path
  await client.GET('/api/nothing');
  // @ts-expect-error no such method
  await client.DELETE('/api/health');
  // @ts-expect-error no such decision
  await client.approvals.answer('id', { decision: 'maybe' });
}
