import { z } from 'zod';
import type { Egress, EgressResponse } from '../../egress/egress';
import { toolError } from '../../base/errors';
import { tryToParseJson } from '../../base/json/parse';
import { requestForTool, type RetryRules } from './http-retries';
import type { WeatherUnits } from './declarations';
import { isTemporary } from '../../base/http/retry-after';

const placeSchema = z.object({
  name: z.string(),
  latitude: z.number(),
  longitude: z.number(),
  country: z.string().optional(),
  country_code: z.string().optional(),
  admin1: z.string().optional(),
});
export type Place = z.infer<typeof placeSchema>;

/** Without a match the service leaves `results` out. */
const placesSchema = z.object({ results: z.array(placeSchema).default([]) });

/** The service sends null for what its model of a region does not have. */
const measurementSchema = z.number().nullable().default(null);

const currentSchema = z.object({
  current: z.object({
    /** ISO 8601 without a zone, which is GMT unless a request asks for another. */
    time: z.string(),
    temperature_2m: z.number(),
    apparent_temperature: measurementSchema,
    relative_humidity_2m: measurementSchema,
    wind_speed_10m: measurementSchema,
    weather_code: measurementSchema,
  }),
});
export type CurrentWeather = z.infer<typeof currentSchema>['current'];

/** The service's form of an error, sent with status 400. */
const reasonSchema = z.object({ reason: z.string() });

const CURRENT_FIELDS = Object.keys(currentSchema.shape.current.shape).filter((name) => name !== 'time');

export interface OpenMeteoOptions {
  /** Base address of the forecast API, to which `/v1/forecast` is added. */
  readonly forecastUrl: string;
  /** Base address of the geocoding API, to which `/v1/search` is added. */
  readonly geocodingUrl: string;
}

/** The two calls of Open-Meteo's API (https://open-meteo.com/en/docs) that the weather tool needs. */
export class OpenMeteo {
  readonly #egress: Egress;
  readonly #options: OpenMeteoOptions;

  constructor(egress: Egress, options: OpenMeteoOptions) {
    this.#egress = egress;
    this.#options = options;
  }

  /** Places of that name, the best match first; `count` is 1 to 100. */
  async findPlaces(name: string, count: number, rules: RetryRules): Promise<readonly Place[]> {
    const query = { name, count: String(count), language: 'en', format: 'json' };
    return (await this.#get(this.#options.geocodingUrl, '/v1/search', query, placesSchema, rules)).results;
  }

  async currentWeather(place: Place, units: WeatherUnits, rules: RetryRules): Promise<CurrentWeather> {
    const query = {
      latitude: String(place.latitude),
      longitude: String(place.longitude),
      current: CURRENT_FIELDS.join(','),
      ...(units === 'imperial' ? { temperature_unit: 'fahrenheit', wind_speed_unit: 'mph' } : {}),
    };
    return (await this.#get(this.#options.forecastUrl, '/v1/forecast', query, currentSchema, rules)).current;
  }

  async #get<Schema extends z.ZodType>(
    base: string,
    path: string,
    query: Readonly<Record<string, string>>,
    schema: Schema,
    rules: RetryRules,
  ): Promise<z.infer<Schema>> {
    const url = new URL(base);
    url.pathname = `${url.pathname.replace(/\/+$/, '')}${path}`;
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    const response = await requestForTool(this.#egress, { url: url.href, method: 'GET' }, rules);
    const body = tryToParseJson(response.text());
    if (response.status !== 200) throw statusError(response, body);
    const parsed = schema.safeParse(body);
    if (!parsed.success) throw toolError('The weather service sent an answer of an unknown form');
    return parsed.data;
  }
}

function statusError(response: EgressResponse, body: unknown): Error {
  const { success, data } = reasonSchema.safeParse(body);
  const reason = success ? `: ${data.reason}` : '';
  const now = isTemporary(response.status) ? ' and may be overloaded; try again later' : '';
  return toolError(`The weather service answered ${response.status}${reason}${now}`);
}
