import { namesOf, offeredName } from '../../../endpoint/offered-names';
import { findTool } from '../../../endpoint/find-tool';
import type { RequestContext } from '../../../../../api/http/route';
import type { McpTool, ToolSource } from '../../../endpoint/sources';

const EVERY_CLIENT = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/;
const LONG = `shop.${'x'.repeat(59)}`;
const NAMES = [
  ...['find', 'get_item', 'say-hello', 'shop.find', 'shop.v1.find', 'shop.place_order_2468a6'],
  ...['shop__find', 'shop_.find', 'shop._find', 'shop___find', 'shop..find', 'shop....find', 'shop____find'],
  ...['a_0123abcd', 'a.0123abcd', 'a._0123abcd', LONG, `${LONG}.`, 'workflow_'.padEnd(73, 'w'), 'x.', 'x__'],
];
const OFFERED = NAMES.map(offeredName);

test('names that every client takes stay, and dots become two underscores', () => {
  expect(offeredName('get_item')).toBe('get_item');
  expect(offeredName('shop.find')).toBe('shop__find');
  expect(offeredName('shop.v1.find')).toBe('shop__v1__find');
});

test('every name is one that every client takes, and no two names become one', () => {
  for (const name of OFFERED) expect(name).toMatch(EVERY_CLIENT);
  expect(new Set(OFFERED).size).toBe(NAMES.length);
  // A name that was made is no name that another tool could have instead.
  for (const [at, offered] of OFFERED.entries())
    if (offered !== NAMES[at]) expect(offeredName(offered)).not.toBe(offered);
});

test('a tool that is offered under a name comes before one that has it', () => {
  expect(namesOf('shop__find')).toEqual(['shop.find', 'shop__find']);
  expect(namesOf('shop.find')).toEqual(['shop.find']);
});

test('each tool is found by the name that is offered', async () => {
  const find = (name: string): Promise<McpTool | undefined> =>
    Promise.resolve(NAMES.includes(name) ? ({ definition: { name } } as McpTool) : undefined);
  const source = {
    find,
    list: () => Promise.resolve(NAMES.map((name) => ({ name }))),
  } as unknown as ToolSource;
  const offerOf = () => Promise.resolve({ tools: [source] } as never);
  const context = { caller: {} } as RequestContext;
  for (const [at, name] of NAMES.entries())
    expect((await findTool({ offerOf }, OFFERED[at]!, context))?.definition.name).toBe(name);
  for (const name of ['shop.find', LONG])
    expect((await findTool({ offerOf }, name, context))?.definition.name).toBe(name);
  expect(await findTool({ offerOf }, 'none_0123abcd', context)).toBeUndefined();
});

test('a tool that is registered under the name of another is not called in its place', async () => {
  const names = [LONG, offeredName(LONG)];
  const source = {
    find: (name: string) => Promise.resolve(names.includes(name) ? { definition: { name } } : undefined),
    list: () => Promise.resolve(names.map((name) => ({ name }))),
  } as unknown as ToolSource;
  const offerOf = () => Promise.resolve({ tools: [source] } as never);
  const found = await findTool({ offerOf }, offeredName(LONG), { caller: {} } as RequestContext);
  expect(found?.definition.name).toBe(LONG);
});
