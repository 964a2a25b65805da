import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findRefusedWords } from '../lint-rules/refused-words.mjs';

/** Files that ESLint does not read: documents, the configuration of the containers, shell and Java. */
const DOCUMENT = /\.(?:md|ya?ml|sh|java|example)$|^(?:Dockerfile|Caddyfile)$/;
const SKIPPED_FOLDERS = new Set(['node_modules', 'dist', 'data', 'coverage', '.git']);
const FENCED_CODE = /^```[\s\S]*?^```/gm;

/**
 * Finds the words of `refused-words.mjs` in the documents of the project. It leaves out fenced code in Markdown,
 * because the examples there contain sentences of users.
 *
 * @param {string} root
 * @returns {string[]} one line for each word, such as `docs/README.md:12: "…" is not plain: say …`
 */
export function refusedInDocuments(root) {
  return documentsIn(root, '').flatMap((path) => {
    const text = readFileSync(join(root, path), 'utf8');
    const prose = path.endsWith('.md') ? text.replace(FENCED_CODE, blankLines) : text;
    return findRefusedWords(prose).map(({ word, instead, index }) => {
      const line = prose.slice(0, index).split('\n').length;
      return `${path}:${line}: "${word}" is not plain: ${instead}.`;
    });
  });
}

/** Removes all but the line breaks of a text, so that the lines after it keep their numbers. */
function blankLines(text) {
  return text.replace(/[^\n]/g, '');
}

/** Paths relative to `root`, sorted. */
function documentsIn(root, folder) {
  const entries = readdirSync(join(root, folder), { withFileTypes: true });
  return entries
    .flatMap((entry) => {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) return SKIPPED_FOLDERS.has(entry.name) ? [] : documentsIn(root, path);
      return entry.isFile() && DOCUMENT.test(entry.name) ? [path] : [];
    })
    .sort();
}
