import type { ToolDescription } from '../../../../../src/contracts/http/llm';
import type { ToolRegistry } from '../../../../../src/tools/registry';
import { registryTools } from '../../../endpoint/registry-tools';
import type { RequestContext } from '../../../../../api/http/route';
import { argumentChecks } from '../../../../../test/support/argument-checks';

const describeTool = (name: string): ToolDescription => ({
  name,
  description: `The tool ${name}`,
  inputSchema: {},
});

test('the list is converted once, and again when the registry has another one', async () => {
  let listed: readonly ToolDescription[] = [describeTool('a')];
  const registry = { list: () => Promise.resolve(listed) } as unknown as ToolRegistry;
  const source = registryTools(registry, argumentChecks, {} as never);
  const list = () => source.list({} as RequestContext);
  const first = await list();
  expect(await list()).toBe(first);
  listed = [describeTool('a'), describeTool('b')];
  expect((await list()).map(({ name }) => name)).toEqual(['a', 'b']);
});
