import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parse } from 'yaml';

/** The root folder of the checkout, from the sources and from their compiled form in dist/ alike. */
export const PROJECT_ROOT = resolve(__dirname, '..', '..').replace(/[/\\]dist$/, '');

export const readProjectFile = (path: string): string => readFileSync(resolve(PROJECT_ROOT, path), 'utf8');

export interface ComposeService {
  readonly image?: string;
  readonly build?: string;
  readonly pull_policy?: string;
  readonly env_file?: readonly { readonly path: string }[];
  readonly container_name?: string;
  readonly entrypoint?: readonly string[];
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

/** Replaces variables of docker-compose.yml by these values or by their defaults, from the innermost on. */
export function fillVariables(text: string, values: Readonly<Record<string, string>> = {}): string {
  const filled = text.replace(
    /\$\{(\w+):?[-?]?([^${}]*)\}/g,
    (_, name: string, otherwise: string) => values[name] ?? otherwise,
  );
  return filled === text ? text : fillVariables(filled, values);
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
