import { isObject } from '../text/json-text';
import { cleanNumber } from '../text/quantity';
import { cut, shown, toSentence } from '../text/shown';

/** One call of a tool and what came of it. */
export interface ToolStepResult {
  readonly toolName: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly output?: unknown;
  /** Why it failed, in a sentence. */
  readonly error?: string;
}

/** Longest value shown, characters. */
const MAX_SHOWN = 600;
const MAX_ERROR = 300;
const SIGNS = new Map<unknown, string>(
  Object.entries({ add: '+', subtract: '−', multiply: '×', divide: '÷' }),
);

type Fields = Readonly<Record<string, unknown>>;
/** Writes what a call came to, of its arguments and its output; undefined if the output is not of that tool. */
type Writer = (args: Fields, output: Fields) => string | undefined;

const WRITERS = new Map<string, Writer>([
  ['calculator', tellCalculation],
  ['weather', tellWeather],
  ['api_call', tellResponse],
  ['json_reader', tellRead],
  ['file_read', tellFile],
]);

/**
 * A sentence for each call of a tool: `15 × 7 = 105`. What failed is said to have failed. If the last is a calculation, `unit`
 * is what its result is in.
 */
export function describeToolResults(_query: string, steps: readonly ToolStepResult[], unit?: string): string {
  if (steps.length === 0) return 'No tool was run.';
  const last = steps.at(-1);
  const measure = unit !== undefined && last && isCalculation(last) ? ` ${unit}` : '';
  const told = steps.map((step) => tellStep(step) + (step === last ? measure : ''));
  const sentences = told.map(toSentence);
  if (sentences.length === 1) return sentences[0] ?? '';
  // `6 × 7 = 42, then 42 − 2 = 40.`
  return steps.every(isCalculation) ? `${told.join(', then ')}.` : sentences.join('\n');
}

function tellStep({ toolName, args, output, error }: ToolStepResult): string {
  if (error !== undefined) return `The call of ${toolName} failed: ${cut(error.trim(), MAX_ERROR)}`;
  return WRITERS.get(toolName)?.(args, fieldsOf(output)) ?? `The result of ${toolName} is ${show(output)}`;
}

function isCalculation({ toolName, error, args, output }: ToolStepResult): boolean {
  return (
    toolName === 'calculator' && error === undefined && tellCalculation(args, fieldsOf(output)) !== undefined
  );
}

function tellCalculation({ operation, a, b }: Fields, { result }: Fields): string | undefined {
  const sign = SIGNS.get(operation);
  if (sign === undefined || typeof result !== 'number') return undefined;
  return `${operand(a)} ${sign} ${operand(b)} = ${write(result)}`;
}

/** Numbers may come as texts; a negative one gets brackets. */
function operand(value: unknown): string {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof number !== 'number' || Number.isNaN(number)) return show(value);
  return number < 0 ? `(${write(number)})` : write(number);
}

function write(value: number): string {
  return String(cleanNumber(value)).replace('-', '−');
}

function tellWeather(_args: Fields, weather: Fields): string | undefined {
  if (typeof weather['temperature'] !== 'number') return undefined;
  const imperial = /fahrenheit|imperial|°F/i.test(JSON.stringify(weather['units'] ?? ''));
  const degrees = imperial ? '°F' : '°C';
  const place = [weather['location'], weather['country']].filter(
    (part) => typeof part === 'string' && part !== '',
  );
  const condition = typeof weather['condition'] === 'string' ? `, ${weather['condition'].toLowerCase()}` : '';
  const measured = (name: string, lead: string, unit: string): string =>
    typeof weather[name] === 'number' ? `, ${lead} ${weather[name]} ${unit}` : '';
  return (
    `In ${place.join(', ')} it is ${weather['temperature']} ${degrees}${condition}` +
    measured('feelsLike', 'feels like', degrees) +
    measured('humidity', 'humidity', '%') +
    measured('windSpeed', 'wind', imperial ? 'mph' : 'km/h')
  );
}

function tellResponse(args: Fields, { status, data }: Fields): string | undefined {
  if (typeof status !== 'number') return undefined;
  const method = typeof args['method'] === 'string' ? args['method'].toUpperCase() : 'GET';
  const body = data === null || data === undefined ? 'an empty body' : show(data);
  return `${method} ${show(args['url'])} answered ${status} with ${body}`;
}

function tellRead({ path }: Fields, read: Fields): string | undefined {
  return 'result' in read ? `The value at ${show(path)} is ${show(read['result'])}` : undefined;
}

function tellFile({ path }: Fields, file: Fields): string | undefined {
  return typeof file['content'] === 'string'
    ? `The file ${show(file['path'] ?? path)} contains: ${show(file['content'])}`
    : undefined;
}

/** The fields of an output; a calculation may come as its number alone. */
function fieldsOf(output: unknown): Fields {
  return isObject(output) ? output : typeof output === 'number' ? { result: output } : {};
}

const show = (value: unknown): string => shown(value, MAX_SHOWN);
