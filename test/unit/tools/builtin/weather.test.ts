import type { IncomingMessage, ServerResponse } from 'node:http';
import { createEgress } from '../../../../src/egress/create-egress';
import { createWeather, describeWeatherCode } from '../../../../src/tools/builtin/weather';
import type { ToolArguments, ToolContext } from '../../../../src/tools/tool';
import { rejection, useCleanup } from '../../egress/cleanup';
import { startStub, type StubServer } from '../../egress/stub-server';
import { toolContext } from './context';

const release = useCleanup();

const berlin = {
  name: 'Berlin',
  latitude: 52.52,
  longitude: 13.41,
  country: 'Germany',
  country_code: 'DE',
  admin1: 'Land Berlin',
};
const springfields = [
  {
    name: 'Springfield',
    latitude: 37.2,
    longitude: -93.3,
    country: 'United States',
    country_code: 'US',
    admin1: 'Missouri',
  },
  {
    name: 'Springfield',
    latitude: -37.1,
    longitude: 144.9,
    country: 'Australia',
    country_code: 'AU',
    admin1: 'Victoria',
  },
];
const places: Record<string, unknown[]> = { Berlin: [berlin], Springfield: springfields };

const current = {
  time: '2026-03-26T16:15',
  interval: 900,
  temperature_2m: 18.5,
  apparent_temperature: 17.1,
  relative_humidity_2m: 50,
  wind_speed_10m: 19,
  weather_code: 3,
};

type Answer = (url: URL, response: ServerResponse) => void;

const json = (response: ServerResponse, body: unknown, status = 200): void =>
  void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));

/** Open-Meteo's two endpoints, each of which a test may replace. */
async function setUp(answers: { search?: Answer; forecast?: Answer } = {}) {
  const search: Answer = (url, response) => {
    const results = places[url.searchParams.get('name') ?? ''];
    json(response, { ...(results ? { results } : {}), generationtime_ms: 0.5 });
  };
  const forecast: Answer = (_, response) => json(response, { latitude: 52.5, longitude: 13.4, current });
  const server = await startStub((request: IncomingMessage, response) => {
    const url = new URL(request.url ?? '', 'http://stub');
    if (url.pathname === '/geo/v1/search') (answers.search ?? search)(url, response);
    else if (url.pathname === '/v1/forecast') (answers.forecast ?? forecast)(url, response);
    else response.writeHead(404).end();
  });
  release(() => server.close());
  const egress = createEgress({ allowPrivate: true, maxBodyBytes: 100_000 });
  release(() => egress.close());
  const tool = createWeather(egress, { forecastUrl: server.url, geocodingUrl: `${server.url}/geo/` });
  const ask = async (args: ToolArguments, context: Partial<ToolContext> = {}): Promise<unknown> =>
    (await tool.run(args, toolContext(context))).value;
  return { server, ask };
}

function queries(server: StubServer): Record<string, string>[] {
  return server.seen.map(({ url }) => Object.fromEntries(new URL(url, 'http://stub').searchParams));
}

test('the weather at a place', async () => {
  const { server, ask } = await setUp();
  expect(await ask({ location: ' Berlin ' })).toEqual({
    location: 'Berlin',
    region: 'Land Berlin',
    country: 'Germany',
    latitude: 52.52,
    longitude: 13.41,
    temperature: 18.5,
    feelsLike: 17.1,
    humidity: 50,
    windSpeed: 19,
    condition: 'overcast',
    units: { temperature: '°C', humidity: '%', windSpeed: 'km/h' },
    observedAt: '2026-03-26T16:15:00.000Z',
  });
  expect(queries(server)).toEqual([
    { name: 'Berlin', count: '1', language: 'en', format: 'json' },
    {
      latitude: '52.52',
      longitude: '13.41',
      current: 'temperature_2m,apparent_temperature,relative_humidity_2m,wind_speed_10m,weather_code',
    },
  ]);
});

test('in imperial units', async () => {
  const { server, ask } = await setUp();
  expect(await ask({ location: 'Berlin', units: 'imperial' })).toMatchObject({
    units: { temperature: '°F', humidity: '%', windSpeed: 'mph' },
  });
  expect(queries(server)[1]).toMatchObject({ temperature_unit: 'fahrenheit', wind_speed_unit: 'mph' });
});

test('what was not measured is null', async () => {
  const { ask } = await setUp({
    search: (_, response) => json(response, { results: [{ name: 'Atlantis', latitude: 0, longitude: 0 }] }),
    forecast: (_, response) =>
      json(response, { current: { time: '2026-03-26T16:15', temperature_2m: 20, weather_code: null } }),
  });
  expect(await ask({ location: 'Atlantis' })).toMatchObject({
    country: null,
    region: null,
    temperature: 20,
    feelsLike: null,
    windSpeed: null,
    condition: 'unknown',
  });
});

test.each([
  ['Springfield, Australia', -37.1],
  ['Springfield, au', -37.1],
  ['Springfield, Missouri', 37.2],
  ['Springfield, Missouri, USA', 37.2],
])('%s is told from its namesakes', async (location, latitude) => {
  const { ask } = await setUp();
  expect(await ask({ location })).toMatchObject({ location: 'Springfield', latitude });
});

test('a place that is not known is an error, which names its namesakes', async () => {
  const { ask } = await setUp();
  expect(await rejection(ask({ location: 'Nowhere' }))).toMatchObject({
    code: 'TOOL_EXECUTION_FAILED',
    retryable: false,
    message: 'No place is known as "Nowhere"',
  });
  expect((await rejection(ask({ location: 'Springfield, Narnia' }))).message).toBe(
    'No place is known as "Springfield, Narnia". There is: Springfield, Missouri, United States; ' +
      'Springfield, Victoria, Australia',
  );
});

test.each<[ToolArguments, string]>([
  [{}, 'args.location'],
  [{ location: '  ' }, 'args.location'],
  [{ location: 'Berlin', units: 'kelvin' }, 'args.units'],
])('%j is a validation error', async (args, field) => {
  const { ask } = await setUp();
  expect(await rejection(ask(args))).toMatchObject({ code: 'VALIDATION', details: { field } });
});

describe('a service in trouble', () => {
  const overloaded: Answer = (_, response) => void response.writeHead(503, { 'retry-after': '1' }).end();

  test.each(['search', 'forecast'])('asks for another attempt: %s', async (endpoint) => {
    const { ask } = await setUp({ [endpoint]: overloaded });
    expect(await rejection(ask({ location: 'Berlin' }))).toMatchObject({
      retryable: true,
      retryAfterMs: 1_000,
    });
  });

  test('is an error after the last attempt', async () => {
    const { ask } = await setUp({ forecast: overloaded });
    const error = await rejection(ask({ location: 'Berlin' }, { lastAttempt: true }));
    expect(error).toMatchObject({ code: 'TOOL_EXECUTION_FAILED', retryable: false });
    expect(error.message).toMatch(/answered 503/);
  });

  test('is quoted where it gives a reason', async () => {
    const { ask } = await setUp({
      search: (_, response) => json(response, { error: true, reason: 'Name too short' }, 400),
    });
    const error = await rejection(ask({ location: 'B' }));
    expect(error).toMatchObject({
      retryable: false,
      message: 'The weather service answered 400: Name too short',
    });
  });

  test.each<[string, Answer]>([
    ['no JSON', (_, response) => void response.end('<html>')],
    ['another form', (_, response) => json(response, { current: { time: 5 } })],
    ['a strange time', (_, response) => json(response, { current: { ...current, time: 'noon' } })],
  ])('that sends %s is an error', async (_, forecast) => {
    const { ask } = await setUp({ forecast });
    const error = await rejection(ask({ location: 'Berlin' }));
    expect(error).toMatchObject({ code: 'TOOL_EXECUTION_FAILED', retryable: false });
    expect(error.message).toMatch(/of an unknown form/);
  });
});

test('weather codes in words', () => {
  expect([0, 45, 61, 95, 100].map(describeWeatherCode)).toEqual([
    'clear sky',
    'fog',
    'slight rain',
    'thunderstorm',
    'unknown',
  ]);
});
