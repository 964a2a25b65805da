import type { Reader } from '../reading/reading';
import { hasTool } from '../reading/steps';
import { setOf } from '../text/lexicon/words';
import type { Token } from '../text/token';

const VERBS = setOf('read open load show print cat display get view fetch');
const NOUNS = setOf('file files document contents content text encoded encoding as');
const ENCODINGS: Readonly<Record<string, string>> = { base64: 'base64', utf8: 'utf8', 'utf-8': 'utf8' };

/** Reads a clause as reading files by their paths. */
export const readFile: Reader = ({ tokens }, context) => {
  if (!hasTool(context, 'file_read')) return undefined;
  const verb = tokens.find(({ kind, lower }) => kind === 'word' && VERBS.has(lower));
  const paths = tokens.filter(isPath);
  const written = tokens.find(({ lower }) => Object.hasOwn(ENCODINGS, lower));
  const encoding = written ? { encoding: ENCODINGS[written.lower] } : {};
  if (verb && paths.length === 0) {
    const isFile = tokens.some(({ lower }) => lower === 'file') && tokens.length <= 8;
    const problem = {
      message: 'The path of the file is missing.',
      missing: 'path',
      toolName: 'file_read',
      extractedArgs: encoding,
    };
    return isFile ? { problem, weight: 0.7 } : undefined;
  }
  if (!verb) return undefined;
  const nouns = tokens.filter(({ lower }) => NOUNS.has(lower) || VERBS.has(lower));
  return {
    steps: paths.map((path) => ({ toolName: 'file_read', args: { path: textOf(path), ...encoding } })),
    read: new Set([verb, ...paths, ...nouns, ...(written ? [written] : [])]),
    weight: 1,
  };
};

function isPath({ kind, text, value }: Token): boolean {
  // `file:///home/…` is an address, and none that is read.
  if (kind === 'file') return !text.startsWith('//');
  return kind === 'quoted' && /^[^\n"]*[^\s/]\.[A-Za-z]\w{0,7}$/.test(String(value));
}

function textOf({ kind, text, value }: Token): string {
  return kind === 'quoted' ? String(value) : text;
}
