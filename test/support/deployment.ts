import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parse } from 'yaml';

export const PROJECT_ROOT = resolve(__dirname, '..', '..');

export const readProjectFile = (path: string): string => readFileSync(resolve(PROJECT_ROOT, path), 'utf8');

export interface ComposeService {
  readonly image?: string;
  readonly build?: string;
  readonly pull_policy?: string;
  readonly env_file?: readonly { readonly path: string }[];
  readonly container_name?: string;
  readonly command?: string | readonly string[];
  readonly profiles?: readonly string[];
  readonly environment?: Readonly<Record<string, string | null>>;
  readonly volumes?: readonly string[];
  readonly ports?: readonly string[];
  readonly networks?: readonly string[];
  readonly restart?: string;
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly healthcheck?: { readonly test?: readonly string[]; readonly disable?: boolean };
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly deploy?: { readonly resources?: { readonly limits?: { memory?: string } } };
}

export interface ComposeFile {
  readonly services: Readonly<Record<string, ComposeService>>;
  readonly volumes: Readonly<Record<string, unknown>>;
  readonly networks: Readonly<Record<string, { readonly internal?: boolean } | null>>;
}

/** Reads docker-compose.yml with its anchors resolved and its variables unresolved. */
export function composeFile(): ComposeFile {
  return parse(readProjectFile('docker-compose.yml'), { merge: true }) as ComposeFile;
}

/** Names of metrics in a PromQL expression, without the words of the language. */
export function figuresIn(expression: string): string[] {
  const text = expression
    .replace(/"(?:[^"\\]|\\.)*"/g, '""')
    // These are names of labels, in selectors and in lists of groupings and matchings.
    .replace(/\{[^}]*\}/g, '{}')
    .replace(/\b(by|without|on|ignoring|group_left|group_right)\s*\([^)]*\)/g, ' ')
    .replace(/\[[^\]]*\]/g, '');
  const words = text.match(/[a-zA-Z_:][\w:]*(?!\w*\s*\()/g) ?? [];
  return [...new Set(words.filter((word) => !KEYWORDS.has(word)))];
}

const KEYWORDS = new Set(
  'and or unless bool offset by on without ignoring group_left group_right'.split(' '),
);
