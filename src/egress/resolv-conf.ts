/** What resolv.conf says of names that are not complete. */
export interface SearchRules {
  /** The domains that are appended to a name, in order. */
  readonly domains: readonly string[];
  /** A name with this number of dots or more is first asked as it is. */
  readonly ndots: number;
}

export const RESOLV_CONF_PATH = '/etc/resolv.conf';

/** The maximum that the C library takes of each. */
const MAX_NDOTS = 15;
/** The C library has no limit of domains since 2017; this one bounds the number of requests for a name. */
const MAX_DOMAINS = 32;

/** Parses `search`, `domain` and `options ndots:n` (resolv.conf(5)). Of `search` and `domain`, the last line counts. */
export function parseResolvConf(text: string): SearchRules {
  let domains: readonly string[] = [];
  let ndots = 1;
  for (const line of text.split('\n')) {
    const [keyword, ...values] = line
      .replace(/[#;].*/, '')
      .trim()
      .split(/\s+/);
    if (keyword === 'search') domains = values;
    if (keyword === 'domain') domains = values.slice(0, 1);
    if (keyword !== 'options') continue;
    for (const value of values) {
      const [, number] = /^ndots:(\d+)$/.exec(value) ?? [];
      if (number !== undefined) ndots = Math.min(Number(number), MAX_NDOTS);
    }
  }
  const complete = domains.map((domain) => domain.replace(/^\.+|\.+$/g, '')).filter(Boolean);
  return { domains: complete.slice(0, MAX_DOMAINS), ndots };
}

/** The complete names that are asked for a name, in order, as the C library does. A dot at its end says that a name is complete. */
export function candidatesOf(name: string, { domains, ndots }: SearchRules): readonly string[] {
  if (name.endsWith('.')) return [name.slice(0, -1)];
  const searched = domains.map((domain) => `${name}.${domain}`);
  const dots = name.split('.').length - 1;
  return dots >= ndots ? [name, ...searched] : [...searched, name];
}
