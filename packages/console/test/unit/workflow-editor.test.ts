import { complete } from '../../src/panes/try/completion';
import { layOutGraph } from '../../src/panes/try/graph';
import { markMistake, markProblems, readPlaces } from '../../src/panes/try/json-places';

const place = (steps: unknown) => layOutGraph(steps).map(({ id, row, column }) => [id, row, column]);
const after = (steps: unknown) =>
  Object.fromEntries(layOutGraph(steps).map((node) => [node.id, node.after.map(({ id }) => id)]));

describe('the graph of steps', () => {
  test('has steps one below the other, and side by side those that wait for the same', () => {
    expect(
      place([
        { id: 'a' },
        { id: 'b' },
        { id: 'left', dependsOn: ['b'] },
        { id: 'right', dependsOn: ['b'] },
        { id: 'alone', dependsOn: [] },
        { id: 'end', dependsOn: ['left', 'right'] },
      ]),
    ).toEqual([
      ['a', 0, 0],
      ['b', 1, 0],
      ['left', 2, 0],
      ['right', 2, 1],
      ['alone', 0, 1],
      ['end', 3, 0],
    ]);
  });

  test('lets a step wait for those that its templates name, and leaves out what follows from others', () => {
    const config = { url: '{{ a.result.url ?? input.b-c.x }}', text: '{{b-c.result}}' };
    expect(after([{ id: 'a' }, { id: 'b-c' }, { id: 'c' }, { id: 'd', dependsOn: [], config }])).toEqual({
      a: [],
      'b-c': ['a'],
      c: ['b-c'],
      d: ['b-c'],
    });
    expect(after([{ id: 'a' }, { id: 'xa', dependsOn: [], when: '{{input.a.b}}' }])['xa']).toEqual([]);
  });

  test.each([[undefined], ['steps'], [[null, 5, {}, { id: 7 }]]])('has nothing of %j', (steps) => {
    expect(layOutGraph(steps)).toEqual([]);
  });

  test('has a step of a repeated id once', () => {
    expect(place([{ id: 'a' }, { id: 'a', dependsOn: ['a'] }])).toEqual([['a', 0, 0]]);
  });
});

describe('completion', () => {
  const at = (text: string) => {
    const caret = text.indexOf('|');
    const whole = text.replace('|', '');
    const found = complete(whole, caret, ['calculator', 'api_call']);
    return found && { ...found, replaced: whole.slice(found.from, found.to) };
  };
  const steps = (inner: string): string => `{ "steps": [ { "id": "first" }, { "id": "second", ${inner} } ] }`;

  test.each([
    ['types of steps', '"type": "to|"', ['tool_execution'], 'to'],
    ['tools', '"config": { "toolName": "|x" }', ['calculator', 'api_call'], 'x'],
    ['ids of earlier steps', '"dependsOn": ["|"]', ['first'], ''],
    ['a second one', '"dependsOn": ["zero", "f|"]', ['first'], 'f'],
    ['results', '"config": { "url": "http://{{ fi|" }', ['first.result'], 'fi'],
  ])('offers %s', (_, inner, options, replaced) => {
    expect(at(steps(inner))).toMatchObject({ options, replaced });
  });

  test.each([
    '"ty|pe": "x"',
    '"type": |',
    '"type": "x|yz"',
    '"name": "to|"',
    '"config": { "url": "{{a}} to|" }',
  ])('offers nothing in %s', (inner) => expect(at(steps(inner))).toBeUndefined());
});

describe('places', () => {
  const text =
    '{\n  "name": "n",\n  "steps": [\n    { "id": "a", "config": { "url": "x,}]" } },\n    [1, "two"]\n  ]\n}';
  const lineOf = (step: string | null, field: string): number | undefined =>
    markProblems(text, [{ step, field, message: 'm' }])[0]?.line;

  test('are those of keys and of entries of lists', () => {
    const { offsets } = readPlaces(text);
    expect([...offsets.keys()]).toEqual([
      'name',
      'steps',
      'steps[0]',
      'steps[0].id',
      'steps[0].config',
      'steps[0].config.url',
      'steps[1]',
      'steps[1][0]',
      'steps[1][1]',
    ]);
    expect(text.slice(offsets.get('steps[0].config.url')).startsWith('"url"')).toBe(true);
  });

  test('problems stand at their lines, or at those of what lacks something', () => {
    expect([
      lineOf('a', 'config.url'),
      lineOf('a', 'type'),
      lineOf('steps[1]', 'id'),
      lineOf(null, 'workflow.name'),
      lineOf(null, 'inputs.x'),
    ]).toEqual([4, 4, 5, 2, 1]);
  });

  test('a text that is no JSON is marked where the browser says', () => {
    expect(markMistake('a\nb', 'Unexpected token at position 2').line).toBe(2);
    expect(markMistake('a\nb', 'expected property name at line 1 column 2 of the JSON data').line).toBe(1);
    expect(markMistake('a\nb\nc', 'JSON Parse error').line).toBe(3);
  });
});
