import { readTool, toRegistration } from '../../../client/remote-tool';

const LISTED = {
  name: 'find',
  description: 'Finds items',
  inputSchema: { type: 'object' as const, properties: { query: { type: 'string' } }, required: ['query'] },
};
const RULES = { approval: 'planned' } as const;

test('a digest depends on the definition, and not on the order of its properties', () => {
  const { digest } = readTool(LISTED);
  const { name, description, inputSchema } = LISTED;
  const { properties, required } = inputSchema;
  expect(readTool({ inputSchema: { required, properties, type: 'object' }, description, name }).digest).toBe(
    digest,
  );
  const others = [
    { ...LISTED, description: 'Finds all items' },
    { ...LISTED, inputSchema: { ...inputSchema, required: [] } },
    { ...LISTED, outputSchema: { type: 'object' as const } },
    { ...LISTED, annotations: { readOnlyHint: true } },
  ];
  for (const other of others) expect(readTool(other).digest).not.toBe(digest);
});

test('absent hints count as those of a tool that may change something', () => {
  expect(readTool(LISTED).annotations).toBeUndefined();
  expect(
    readTool({ ...LISTED, annotations: { readOnlyHint: true, destructiveHint: true } }).annotations,
  ).toEqual({
    readOnly: true,
  });
});

test('the rules of the server are those of its tools', () => {
  const remote = readTool(LISTED);
  const { digest } = remote;
  expect(toRegistration('shop', remote, RULES)).toMatchObject({
    name: 'shop.find',
    inputSchema: LISTED.inputSchema,
    implementation: { kind: 'mcp', server: 'shop', tool: 'find', digest },
  });
  expect(toRegistration('shop', remote, { approval: 'always' }).requiresApproval).toBe(true);
  expect(
    toRegistration('shop', remote, { approval: 'never', toolTimeoutMs: 5 }).implementation,
  ).toMatchObject({
    timeoutMs: 5,
    trusted: true,
  });
});
