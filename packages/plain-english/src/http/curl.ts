import { POLITENESS, STOP_WORDS } from '../text/stop-words';
import type { HttpRequest } from './request';

const OPTION = /\s-{1,2}[A-Za-z]/;
const SWITCH = /^-[sSLkivf]+$|^--(?:silent|location|insecure|include|verbose|fail|compressed)$/;
const DATA = new Set('-d --data --data-raw --data-binary --data-ascii --json'.split(' '));

/** A curl command as it would be typed into a shell; an error text where it has an option that is not known. */
export function readCurl(source: string): Partial<HttpRequest> | string | undefined {
  const start = /\bcurl\s/i.exec(source)?.index;
  const line = start === undefined ? '' : source.slice(start + 'curl'.length);
  if (!OPTION.test(line)) return undefined;
  const words = shellWords(line);
  let [url, method]: (string | undefined)[] = [];
  const headers = new Map<string, string>();
  const data: string[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? '';
    const [, short, attached] = /^(-[XHd])=?(.+)$/s.exec(word) ?? [];
    const option = short ?? word;
    const argument = (): string => attached ?? words[++at] ?? '';
    if (option === '-X' || option === '--request') method = argument().toUpperCase();
    else if (option === '-H' || option === '--header') {
      const [name = '', ...value] = argument().split(':');
      headers.set(name.trim(), value.join(':').trim());
    } else if (DATA.has(option)) data.push(argument());
    else if (/^-[sSLkivf]{0,6}I$/.test(option) || option === '--head') method ??= 'HEAD';
    else if (option === '--url' || /^https?:\/\//i.test(word)) url = option === '--url' ? argument() : word;
    else if (url === undefined && /^[a-z0-9-][a-z0-9.-]*[.:][a-z0-9]+(?:\/|$)/i.test(word))
      url = `https://${word}`;
    else if (!SWITCH.test(word) && !isPolite(word)) return word;
  }
  const body = data.length === 0 ? undefined : bodyOf(data.join('&'));
  return {
    ...(url === undefined ? {} : { url }),
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    ...(headers.size === 0 ? {} : { headers: Object.fromEntries(headers) }),
    ...(body === undefined ? {} : { body }),
  };
}

function isPolite(word: string): boolean {
  const plain = word.toLowerCase().replace(/[.,!?]$/, '');
  return plain === '\\' || POLITENESS.has(plain) || STOP_WORDS.has(plain);
}

function bodyOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

const WORD = /'([^']*)'|"((?:\\.|[^"\\])*)"|((?:\\.|[^\s'"\\])+)/sy;

/** The words of a command line, with what is in quotes kept together. */
function shellWords(line: string): string[] {
  const words: string[] = [];
  const straight = line.replaceAll(/[‘’]/g, "'").replaceAll(/[“”]/g, '"');
  let isAttached = false;
  for (let at = 0; at < straight.length;) {
    WORD.lastIndex = at;
    const found = WORD.exec(straight);
    if (!found) {
      isAttached = false;
      at++;
      continue;
    }
    const text = found[1] ?? (found[2] ?? found[3] ?? '').replaceAll(/\\(.)/gs, '$1');
    if (isAttached) words.push(`${words.pop() ?? ''}${text}`);
    else words.push(text);
    isAttached = true;
    at = WORD.lastIndex;
  }
  return words;
}
