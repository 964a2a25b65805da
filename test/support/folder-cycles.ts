import { dirname, join } from 'node:path/posix';
import { preProcessFile } from 'typescript';

interface FolderImport {
  readonly from: string;
  readonly to: string;
  /** The two files, for the message of a failed test. */
  readonly files: string;
}

/**
 * Finds the imports by which folders need each other: those on a circle of folders, and those between two circles. A
 * folder counts with the files directly in it, without its subfolders.
 * @param texts the TypeScript files by path, `/` between folders
 * @returns `importing file -> imported file`, sorted; empty if no folder needs itself through others
 */
export function findFolderCycles(texts: ReadonlyMap<string, string>): string[] {
  let imports = importsBetweenFolders(texts);
  // A folder without imports, or that no folder imports, is in no circle; its imports are removed repeatedly.
  for (let before = -1; before !== imports.length;) {
    before = imports.length;
    const importing = new Set(imports.map(({ from }) => from));
    const imported = new Set(imports.map(({ to }) => to));
    imports = imports.filter(({ from, to }) => importing.has(to) && imported.has(from));
  }
  return imports.map(({ files }) => files).sort();
}

/** Lists the imports of a file, including those of types and of modules that are loaded later. */
function importsBetweenFolders(texts: ReadonlyMap<string, string>): FolderImport[] {
  return [...texts].flatMap(([file, text]) =>
    preProcessFile(text, true, true).importedFiles.flatMap(({ fileName }) => {
      if (!fileName.startsWith('.')) return [];
      const path = join(dirname(file), fileName);
      const target = [`${path}.ts`, join(path, 'index.ts')].find((candidate) => texts.has(candidate));
      if (target === undefined || dirname(target) === dirname(file)) return [];
      return [{ from: dirname(file), to: dirname(target), files: `${file} -> ${target}` }];
    }),
  );
}
