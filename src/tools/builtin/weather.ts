import type { Egress } from '../../egress/egress';
import { toolError, validationError } from '../../base/errors';
import type { BuiltinTool } from '../tool';
import { WEATHER_UNITS, weatherDeclaration, type WeatherUnits } from './declarations';
import type { RetryRules } from './http-retries';
import { OpenMeteo, type OpenMeteoOptions, type Place } from './open-meteo';
import { readChoice, readString } from './read-arguments';

/**
 * WMO weather interpretation codes as the Open-Meteo documentation lists them
 * (https://open-meteo.com/en/docs, after WMO table 4677).
 */
const CONDITIONS: ReadonlyMap<number, string> = new Map([
  [0, 'clear sky'],
  [1, 'mainly clear'],
  [2, 'partly cloudy'],
  [3, 'overcast'],
  [45, 'fog'],
  [48, 'depositing rime fog'],
  [51, 'light drizzle'],
  [53, 'moderate drizzle'],
  [55, 'dense drizzle'],
  [56, 'light freezing drizzle'],
  [57, 'dense freezing drizzle'],
  [61, 'slight rain'],
  [63, 'moderate rain'],
  [65, 'heavy rain'],
  [66, 'light freezing rain'],
  [67, 'heavy freezing rain'],
  [71, 'slight snowfall'],
  [73, 'moderate snowfall'],
  [75, 'heavy snowfall'],
  [77, 'snow grains'],
  [80, 'slight rain showers'],
  [81, 'moderate rain showers'],
  [82, 'violent rain showers'],
  [85, 'slight snow showers'],
  [86, 'heavy snow showers'],
  [95, 'thunderstorm'],
  [96, 'thunderstorm with slight hail'],
  [99, 'thunderstorm with heavy hail'],
]);

const UNIT_NAMES: Readonly<Record<WeatherUnits, Readonly<Record<string, string>>>> = {
  metric: { temperature: '°C', humidity: '%', windSpeed: 'km/h' },
  imperial: { temperature: '°F', humidity: '%', windSpeed: 'mph' },
};

/** Candidates asked for: enough that a qualified name finds its place among namesakes. */
const CANDIDATES = 50;
/** Maximum number of namesakes in an error text. */
const SHOWN_CANDIDATES = 5;

/** Names that people write for a country, each with the country code (ISO 3166-1) of the geocoder. */
const COUNTRY_ALIASES: Readonly<Record<string, string>> = {
  uk: 'gb',
  'great britain': 'gb',
  usa: 'us',
  america: 'us',
};

/**
 * The current weather from Open-Meteo. The value is `{ location, region, country, latitude, longitude,
 * temperature, feelsLike, humidity, windSpeed, condition, units, observedAt }`, with `region` and `country`
 * null if the place has none, what was not measured null, and `observedAt` as an ISO 8601 time in UTC.
 */
export function createWeather(egress: Egress, options: OpenMeteoOptions): BuiltinTool {
  const service = new OpenMeteo(egress, options);
  return {
    ...weatherDeclaration,
    async run(args, context) {
      const location = readString(args, 'location').trim();
      const units = readChoice(args, 'units', WEATHER_UNITS, 'metric');
      if (location === '') throw validationError('args.location', 'must not be empty');
      const rules = { context, repeatable: true, startedAt: performance.now() };
      const place = await findPlace(service, location, rules);
      const current = await service.currentWeather(place, units, rules);
      return {
        value: {
          location: place.name,
          region: place.admin1 ?? null,
          country: place.country ?? null,
          latitude: place.latitude,
          longitude: place.longitude,
          temperature: current.temperature_2m,
          feelsLike: current.apparent_temperature,
          humidity: current.relative_humidity_2m,
          windSpeed: current.wind_speed_10m,
          condition: describeWeatherCode(current.weather_code ?? Number.NaN),
          units: UNIT_NAMES[units],
          observedAt: toIsoTime(current.time),
        },
      };
    },
  };
}

/**
 * Finds the place that a text names. The geocoder understands `Paris, Texas` itself; a text that it does not
 * understand, such as `Springfield, USA`, is looked up by its first part, and the rest chooses among the namesakes
 * here. It never falls back to a namesake elsewhere, because weather of the wrong place is worse than an error.
 */
async function findPlace(service: OpenMeteo, location: string, rules: RetryRules): Promise<Place> {
  const [direct] = await service.findPlaces(location, 1, rules);
  if (direct) return direct;
  const [name, ...qualifiers] = location.split(',').map((part) => part.trim());
  const namesakes =
    name === undefined || qualifiers.length === 0 ? [] : await service.findPlaces(name, CANDIDATES, rules);
  const match = namesakes.find((place) =>
    qualifiers.every((qualifier) => isIn(place, qualifier.toLowerCase())),
  );
  if (match) return match;
  const others = namesakes.slice(0, SHOWN_CANDIDATES).map(describePlace).join('; ');
  throw toolError(
    `No place is known as ${JSON.stringify(location)}${others === '' ? '' : `. There is: ${others}`}`,
  );
}

/** The service's times are in GMT and do not say so. */
function toIsoTime(time: string): string {
  const date = new Date(/(Z|[+-]\d\d:\d\d)$/.test(time) ? time : `${time}Z`);
  if (Number.isNaN(date.getTime())) throw toolError('The weather service sent a time of an unknown form');
  return date.toISOString();
}

function isIn(place: Place, qualifier: string): boolean {
  const known = [place.country, place.country_code, place.admin1].map((name) => name?.toLowerCase());
  return known.includes(qualifier) || known.includes(COUNTRY_ALIASES[qualifier] ?? qualifier);
}

function describePlace({ name, admin1, country }: Place): string {
  return [name, admin1, country].filter((part) => part !== undefined).join(', ');
}

/** A weather code in words; `unknown` for one that is not in the list. */
export function describeWeatherCode(code: number): string {
  return CONDITIONS.get(code) ?? 'unknown';
}
