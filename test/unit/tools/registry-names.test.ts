import { isReservedToolName, RESERVED_TOOL_NAMES, toolNameSchema } from '../../../src/tools/registry-names';

describe('tool names', () => {
  it.each(['a', 'Z9', 'calculator', 'json_reader', 'my-tool.v2', 'x'.repeat(64), 'null', 'a..b'])(
    'allow %s',
    (name) => {
      expect(toolNameSchema.safeParse(name).success).toBe(true);
      expect(isReservedToolName(name)).toBe(false);
    },
  );

  it.each([
    '',
    ' ',
    '1st',
    '_a',
    '-a',
    '.a',
    '..',
    'a b',
    'a/b',
    'a\n',
    'a\0',
    'é',
    'naïve',
    '工具',
    '__proto__',
    'x'.repeat(65),
    'a%2fb',
    7,
    null,
  ])('refuse %j', (name) => {
    expect(toolNameSchema.safeParse(name).success).toBe(false);
  });

  it.each([
    'execute',
    'EXECUTE',
    'execute-with-llm',
    'register',
    'clear',
    'restore',
    'mcp',
    'Stats',
    'definitions',
  ])('keep the path %s free', (name) => {
    expect(isReservedToolName(name)).toBe(true);
  });

  it('keep free what every object has', () => {
    for (const name of ['constructor', 'prototype', '__proto__', 'toString', 'hasOwnProperty', 'valueOf']) {
      expect(RESERVED_TOOL_NAMES).toContain(name);
    }
    expect(
      RESERVED_TOOL_NAMES.filter((name) => toolNameSchema.safeParse(name).success && name in {}),
    ).not.toEqual([]);
    expect(RESERVED_TOOL_NAMES.every(isReservedToolName)).toBe(true);
  });
});
