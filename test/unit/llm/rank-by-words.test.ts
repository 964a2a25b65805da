import { rankByWords, type RankedTool } from '../../../src/llm/rank-by-words';

const text = (description: string) => ({ type: 'string', description, required: true }) as const;
const tool = (name: string, description: string, ...parameters: string[]): RankedTool => ({
  name,
  description,
  parameters: Object.fromEntries(parameters.map((parameter) => [parameter, text('')])),
});

const TOOLS = [
  tool('get_stock', 'Gets the price of a share', 'symbol'),
  tool('get_weather', 'Gets the weather of a place', 'place'),
  tool('send_parcel', 'Sends a parcel to a place', 'address'),
  tool('bookTable', 'Reserves a table in a restaurant', 'guests'),
];
const names = (query: string): string[] => rankByWords(query, TOOLS).map(({ name }) => name);

test('a word of the name says more than one of the description', () => {
  expect(names('what is the weather at this place')[0]).toBe('get_weather');
});

test('a word that few tools have says more than one that many have', () => {
  expect(names('gets me the symbol')[0]).toBe('get_stock');
});

test('words meet in other forms, and parts of a name by themselves', () => {
  expect(names('I am booking for six')).toEqual(['bookTable']);
  expect(names('two parcels, please')).toEqual(['send_parcel']);
});

test('a tool that shares no word is left out', () => {
  expect(names('sing')).toEqual([]);
  expect(names('')).toEqual([]);
});
