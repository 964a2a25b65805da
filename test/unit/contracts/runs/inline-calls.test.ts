import { isInlineCall } from '../../../../src/contracts/runs/calls';

describe('isInlineCall', () => {
  const builtin = { kind: 'builtin' } as const;
  test.each([
    ['calculator', {}, true],
    ['json_reader', { jsonString: '{}', path: '$.a' }, true],
    ['json_reader', { jsonString: `"${'x'.repeat(20_000)}"`, path: '$.a' }, false],
    ['json_reader', { jsonString: '{}', path: '$[?match(@.a, "x")]' }, false],
    ['json_reader', { jsonString: '{}', path: '$..a' }, false],
    ['api_call', { url: 'http://a' }, false],
    ['file_read', { path: 'a' }, false],
  ])('%s %j: %s', (toolName, args, light) => {
    expect(isInlineCall({ toolName, args, implementation: builtin })).toBe(light);
  });

  test('never for registered code, whatever its name', () => {
    expect(
      isInlineCall({ toolName: 'calculator', args: {}, implementation: { kind: 'source', source: '1' } }),
    ).toBe(false);
  });
});
