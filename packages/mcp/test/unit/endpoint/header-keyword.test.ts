import { withoutHeaderKeyword } from '../../../endpoint/registry-tools';

const KEYWORD = 'x-mcp-header';
const marked = (more: object = {}) => ({ type: 'string', [KEYWORD]: 'Region', ...more });
const plain = (more: object = {}) => ({ type: 'string', ...more });

test.each([
  ['a property', { properties: { region: marked() } }, { properties: { region: plain() } }],
  [
    'a property of a property',
    { properties: { place: { type: 'object', properties: { region: marked() } } } },
    { properties: { place: { type: 'object', properties: { region: plain() } } } },
  ],
  [
    'items, alternatives and definitions',
    { items: marked(), anyOf: [marked(), { not: marked() }], $defs: { a: marked() }, if: marked() },
    { items: plain(), anyOf: [plain(), { not: plain() }], $defs: { a: plain() }, if: plain() },
  ],
  ['the schema itself', marked(), plain()],
  ['a keyword that it does not know', { 'x-other': { a: marked() } }, { 'x-other': { a: plain() } }],
])('removes the keyword from %s', (_, schema, stripped) => {
  expect(withoutHeaderKeyword(schema)).toEqual(stripped);
});

test.each([
  ['a property of that name', { properties: { [KEYWORD]: plain() }, required: [KEYWORD] }],
  ['data', { const: { [KEYWORD]: 1 }, enum: [{ [KEYWORD]: 1 }], default: { [KEYWORD]: 1 } }],
  ['a name of a prototype', JSON.parse(`{"properties":{"__proto__":{"const":"${KEYWORD}"}}}`) as object],
  ['a schema without it', { type: 'object', additionalProperties: false }],
])('leaves %s as it is', (_, schema) => {
  expect(JSON.stringify(withoutHeaderKeyword(schema as never))).toBe(JSON.stringify(schema));
});
