import { clientCode, requestOfRun } from '../../src/panes/runs/request-of-run';
import { nameOfRun } from '../../src/panes/runs/run-name';
import { curlLine } from '../../src/parts/curl';

test('a run is named after its tool or workflow, unless a caller chose its id', () => {
  const names = [
    { type: 'executeTool', workflowId: 'execute-tool/calculator/01A' },
    { type: 'customWorkflow', workflowId: 'custom-workflow/refund-order/01A' },
    { type: 'executeTool', workflowId: 'execute-tool/key-order-7', tools: ['weather'] },
    { type: 'executeToolsInSequence', workflowId: 'execute-tools/sequence/01A', tools: ['a', 'b', 'c', 'd'] },
    { type: 'agentTurn', workflowId: 'agent-turn/9d8a/01A' },
  ].map(nameOfRun);
  expect(names).toEqual(['calculator', 'refund-order', 'weather', 'a, b, c, …', undefined]);
});

test('a run is copied as the request that starts another one', () => {
  const input = { toolName: 'calculator', args: { a: 1 } };
  const request = requestOfRun({ type: 'executeTool', input, traceId: 't' });
  expect(request).toEqual({ method: 'POST', path: '/api/tools/execute', body: input });
  expect(curlLine(request, 'http://h', false)).toBe(
    `curl -s -X POST 'http://h/api/tools/execute' -H 'content-type: application/json' -d '{"toolName":"calculator","args":{"a":1}}'`,
  );
  expect(clientCode(request, 'http://h', true)).toContain(`client.POST('/api/tools/execute', {`);
  expect(requestOfRun({ type: 'reindexMemories', input: undefined, traceId: 't' })).toEqual({
    method: 'GET',
    path: '/api/runs/t',
  });
});

test('a command has no key, and no value ends its quotes', () => {
  const line = curlLine({ method: 'POST', path: '/p', body: { a: "it's $HOME `id`" } }, 'http://h', true);
  expect(line).toContain('-H "Authorization: Bearer $HOLDFAST_API_KEY"');
  expect(line).toContain(`-d '{"a":"it'\\''s $HOME \`id\`"}'`);
});
