import { HoldfastError } from '../base/errors';

/** An origin as browsers send it: `null`, or a scheme and a host, with a port if it is not that of the scheme. */
const ORIGIN = /^(?:null|[a-z][a-z\d+.-]*:\/\/[^/?#@\s]+)$/;

/**
 * Checks that requests can have each of the host names, because any other entry would be ignored.
 * @throws HoldfastError `CONFIGURATION`
 */
export function checkHosts(setting: string, names: readonly string[]): readonly string[] {
  return checkEach(
    setting,
    names,
    isHost,
    'a host name alone, such as app.example, without scheme, port or *',
  );
}

/**
 * Checks that pages can have each of the origins, because any other entry would be ignored.
 * @throws HoldfastError `CONFIGURATION`
 */
export function checkOrigins(setting: string, origins: readonly string[]): readonly string[] {
  return checkEach(setting, origins, isOrigin, 'an origin such as https://app.example, without a path, or *');
}

/**
 * As `checkOrigins`, for what pages may do with the rights of a caller: each origin is named.
 * @throws HoldfastError `CONFIGURATION`
 */
export function checkExactOrigins(setting: string, origins: readonly string[]): readonly string[] {
  return checkEach(
    setting,
    origins,
    (origin) => origin !== '*' && origin !== 'null' && isOrigin(origin),
    'an origin such as https://app.example, without a path; pages of any origin (*) or of none (null) cannot be let in here',
  );
}

function checkEach(
  setting: string,
  entries: readonly string[],
  isUsable: (entry: string) => boolean,
  form: string,
): readonly string[] {
  const refused = entries.find((entry) => !isUsable(entry));
  if (refused === undefined) return entries;
  throw new HoldfastError(
    'CONFIGURATION',
    `The setting ${setting} is not usable: "${refused}" has to be ${form}`,
  );
}

function isHost(name: string): boolean {
  const url = `http://${name}`;
  return !name.includes('*') && URL.canParse(url) && new URL(url).hostname === name;
}

function isOrigin(text: string): boolean {
  if (text === '*') return true;
  if (!ORIGIN.test(text)) return false;
  return !/^https?:/.test(text) || (URL.canParse(text) && new URL(text).origin === text);
}
