import { dirname, join } from 'node:path/posix';
import { preProcessFile } from 'typescript';

interface FolderImport {
  readonly from: string;
  readonly to: string;
  /** The two files, to be read in a failed test. */
  readonly files: string;
}

/**
 * The imports by which folders need each other: those that lead back to the folder they begin in, and those between two such
 * circles. A folder counts by the files that stand in it directly, without the folders in it.
 * @param texts the TypeScript files by path, `/` between folders
 * @returns `importing file -> imported file`, sorted; empty where no folder needs itself through others
 */
export function findFolderCycles(texts: ReadonlyMap<string, string>): string[] {
  let imports = importsBetweenFolders(texts);
  // A folder that imports none, or that none imports, is in no circle: its imports go, until no more do.
  for (let before = -1; before !== imports.length;) {
    before = imports.length;
    const importing = new Set(imports.map(({ from }) => from));
    const imported = new Set(imports.map(({ to }) => to));
    imports = imports.filter(({ from, to }) => importing.has(to) && imported.has(from));
  }
  return imports.map(({ files }) => files).sort();
}

/** Of types too, and of modules that are loaded later. */
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
