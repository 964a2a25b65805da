import { createClient, HoldfastApiError, HoldfastRunError } from 'holdfast-client';

declare const process: { readonly argv: readonly string[] };

async function main(): Promise<void> {
  const client = createClient({ baseUrl: process.argv[2] ?? '', userId: 'ada' });

  /** A workflow that waits for a person. */
  const waiting = {
    name: 'Waits',
    steps: [
      {
        id: 'sum',
        type: 'tool_execution' as const,
        config: { toolName: 'calculator', args: { operation: 'multiply', a: 5, b: 2 } },
        approval: true as const,
      },
    ],
  };

  const { result: sum } = await client.result(
    client.POST('/api/tools/execute', {
      body: { toolName: 'calculator', args: { operation: 'add', a: 2, b: 3 } },
    }),
  );
  const workflow = await client.result(
    client.POST('/api/workflow/execute-custom', {
      body: {
        workflow: { name: 'Asks', steps: [{ id: 'ask', type: 'llm_call', config: { prompt: 'Hi' } }] },
      },
    }),
  );
  const refused = await client
    .result(client.POST('/api/tools/execute', { body: { toolName: 'no_such_tool' } }))
    .catch((error: unknown) => (error instanceof HoldfastApiError ? [error.status, error.code] : error));

  async function start() {
    const answer = await client.POST('/api/workflow/execute-custom', {
      body: { workflow: waiting },
      params: { header: { Prefer: 'respond-async' } },
    });
    const started = answer.data?.data;
    if (started === undefined || !('runId' in started)) throw new Error('the run was not accepted');
    return client.run(started);
  }

  const run = await start();
  const events: string[] = [];
  let approved: string | undefined;
  for await (const event of run.events()) {
    events.push(event.type);
    if (event.type === 'approval.requested' && event.approval !== undefined)
      approved = (await client.approvals.answer(event.approval.id, { decision: 'approve' })).status;
  }
  const { status: ended } = await run.wait();
  const { results } = (await run.result()) as { results: { sum: { result: number } } };

  const other = await start();
  await other.cancel();
  const { status: cancelled } = await other.wait();
  const failed = await other
    .result()
    .catch((error: unknown) => (error instanceof HoldfastRunError ? error.code : error));

  let [said, answer] = ['', ''];
  for await (const part of client.agent.chat({ query: 'My name is Ada', options: { sessionId: 's' } })) {
    if (part.type === 'text') said = part.restarts ? part.text : said + part.text;
    else answer = part.answer.response;
  }

  console.log(
    JSON.stringify({
      sum,
      workflow: workflow.status,
      refused,
      events,
      ended,
      approved,
      total: results.sum.result,
      cancelled,
      failed,
      said,
      answer,
    }),
  );
}

void main();
