import type { ChatMessage, ToolDescription } from '../../../src/contracts/http/llm';
import { parametersOf, toInputSchema } from '../../../src/contracts/http/tool-schemas';
import type { ComparedTool } from '../../../src/llm/sentence-rules';
import { callChecks } from '../../support/argument-checks';
import { catalogueForRules, MAX_CHOICES, MAX_TOOLS } from '../../../src/llm/rules-catalogue';
import { createRulesProvider } from '../../../src/llm/rules-provider';
import { builtinDefinitions } from '../../../src/tools/builtin/declarations';

const asks = (content: string): ChatMessage[] => [{ role: 'user', content }];
const names = (tools: readonly { readonly name: string }[]): string[] => tools.map(({ name }) => name);
const choices = (tools: readonly ComparedTool[]): string[] =>
  tools.flatMap(({ parameters }) => Object.values(parameters).flatMap((parameter) => parameter.enum ?? []));

function tool(name: string, description = '', lists: readonly string[][] = []): ToolDescription {
  const parameters = lists.map((list, at) => [
    `choice_${at}`,
    { type: 'string', description: '', required: false, enum: list },
  ]);
  return { name, description, inputSchema: toInputSchema(Object.fromEntries(parameters)) };
}

const toCompared = ({ name, description, inputSchema }: ToolDescription): ComparedTool => ({
  name,
  description,
  parameters: parametersOf(inputSchema),
});
const fillers = Array.from({ length: 100 }, (_, at) => tool(`filler_${String(at).padStart(3, '0')}`));
const zones = (count: number, prefix = 'zone'): string[] =>
  Array.from({ length: count }, (_, at) => `${prefix}${at}`);

test('a catalogue within the limits stays as it is', () => {
  const tools = [...builtinDefinitions, tool('set_zone', '', [zones(300)])];
  expect(catalogueForRules(tools, asks('anything'))).toEqual(tools.map(toCompared));
});

test('of more tools the built-in ones and those nearest to the query remain, in their order', () => {
  const tools = [...fillers, tool('translate_text', 'Translates a text'), ...builtinDefinitions];
  const selected = names(catalogueForRules(tools, asks('translate this')));
  expect(selected).toHaveLength(MAX_TOOLS);
  expect(selected).toEqual(expect.arrayContaining(['translate_text', ...names(builtinDefinitions)]));
  expect(selected).toEqual(names(tools).filter((name) => selected.includes(name)));
});

test('what was called before changes nothing, because the plan is made again after each call', () => {
  const query = asks('translate this');
  const later: ChatMessage[] = [
    ...query,
    { role: 'assistant', content: '', toolRequests: [{ id: '1', toolName: 'filler_099', args: {} }] },
    { role: 'tool', requestId: '1', content: 'done' },
  ];
  expect(catalogueForRules(fillers, later)).toEqual(catalogueForRules(fillers, query));
});

test('of more choices those of the nearest tools remain, and those that the query names', () => {
  const far = tool('file_report', 'Files a report', [zones(350, 'kind')]);
  const near = tool('set_zone', 'Sets the zone', [zones(300), zones(200, 'area')]);
  const selected = catalogueForRules([far, near], asks('set the zone to zone7 and area150, kind20'));
  expect(names(selected)).toEqual(['file_report', 'set_zone']);
  expect(choices(selected).length).toBeLessThanOrEqual(MAX_CHOICES);
  expect(choices(selected)).toEqual(['kind20', ...zones(300), 'area150']);
});

test('the provider shows the rules no more', async () => {
  let seen: readonly ComparedTool[] = [];
  const provider = createRulesProvider({
    chooseNext({ tools }) {
      seen = tools;
      return { content: 'done', requests: [] };
    },
    answerPrompt: () => undefined,
    findJsonValues: () => [],
  });
  const context = { ...callChecks, timeoutMs: 5_000 };
  await provider.chooseTools({ messages: asks('anything'), tools: fillers, choice: 'auto' }, context);
  expect(seen).toHaveLength(MAX_TOOLS);
});
