import type { PlannedStep, ReadContext } from '../reading/reading';
import { hasTool, notUnderstood } from '../reading/steps';
import { findUnread, isLight } from '../reading/light';
import { parseJson } from '../text/json-text';
import { tokenize } from '../text/tokenizer';

const CURL = /(?:^|[\s`])curl\s+(?=['"\w-])/;
const SWITCH = /^-[sSLkivf]+$|^--(?:silent|location|insecure|include|verbose|fail|compressed)$/;
const DATA = new Set('-d --data --data-raw --data-binary --data-ascii --json'.split(' '));
const ADDRESS = /^(?:https?:\/\/|[a-z0-9-][a-z0-9.-]*[.:][a-z0-9]+(?:[/?]|$))/i;

/**
 * The request of a curl command as it would be typed into a shell; undefined for a text without one.
 * @throws PlainEnglishError `QUERY_NOT_UNDERSTOOD` for an option that is not known here, and for words around the command that say more
 */
export function readCurl(source: string, context: ReadContext): readonly PlannedStep[] | undefined {
  const command = CURL.exec(source);
  if (!command || !hasTool(context, 'api_call')) return undefined;
  const [before] = findUnread(tokenize(source.slice(0, command.index)).tokens, new Set());
  const words = shellWords(source.slice(command.index + command[0].length));
  // `write a curl command that …` has no address where one would be typed.
  if (!words.some((word) => ADDRESS.test(word))) return undefined;
  if (before) throw unclear(before.text);
  return [{ toolName: 'api_call', args: readOptions(words) }];
}

function unclear(words: string): Error {
  return notUnderstood(`What "${words.slice(0, 80)}" means to curl is not known here.`, {
    toolName: 'api_call',
  });
}

function readOptions(words: readonly string[]): PlannedStep['args'] {
  let [url, method]: (string | undefined)[] = [];
  const headers: Record<string, string> = {};
  const data: string[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? '';
    const [, short, attached] = /^(-[XHd])=?(.+)$/s.exec(word) ?? [];
    const option = short ?? word;
    const argument = (): string => attached ?? words[++at] ?? '';
    if (option === '-X' || option === '--request') method = argument().toUpperCase();
    else if (option === '-H' || option === '--header') {
      const [name = '', ...value] = argument().split(':');
      headers[name.trim()] = value.join(':').trim();
    } else if (DATA.has(option)) data.push(argument());
    else if (/^-[sSLkivf]{0,6}I$/.test(option) || option === '--head') method ??= 'HEAD';
    else if (url === undefined && (option === '--url' || ADDRESS.test(word)))
      url = withScheme(option === '--url' ? argument() : word);
    else if (!SWITCH.test(word) && !isPolite(word)) throw unclear(word);
  }
  const text = data.length === 0 ? undefined : data.join('&');
  const body = text === undefined ? undefined : (parseJson(text) ?? { value: text });
  return {
    url: url ?? '',
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    ...(Object.keys(headers).length === 0 ? {} : { headers }),
    ...(body && { body: body.value }),
  };
}

function withScheme(address: string): string {
  return /^https?:\/\//i.test(address) ? address : `https://${address}`;
}

function isPolite(word: string): boolean {
  return word === '\\' || tokenize(word).tokens.every(isLight);
}

const WORD = /(?:'[^']*'|"(?:\\.|[^"\\])*"|\\.|[^\s'"\\])+/gs;
const PIECE = /'([^']*)'|"((?:\\.|[^"\\])*)"|((?:\\.|[^\s'"\\])+)/gs;

/** The words of a command line, with what is in quotes kept together. */
function shellWords(line: string): string[] {
  const straight = line.replaceAll(/[‘’]/g, "'").replaceAll(/[“”]/g, '"');
  const plain = (_piece: string, single?: string, double?: string, bare = ''): string =>
    single ?? (double ?? bare).replaceAll(/\\(.)/gs, '$1');
  return Array.from(straight.matchAll(WORD), ([word]) => word.replaceAll(PIECE, plain));
}
