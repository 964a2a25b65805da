// Builds the rules of .dependency-cruiser.cjs.

/** All sources of this project. */
const SOURCE = '^(api|requests|workflows|activities|worker|src|packages|temporal|bin|bench|test)/';

/** Patterns of the files of npm packages. */
const npm = (...names) => names.map((name) => `(^|/)node_modules/(@types/)?${name}/`);

/** The rule that `folder` imports no source of this project except from itself and `allowed`. */
function only(folder, allowed, comment) {
  return {
    name: `${folder}-imports-only`,
    comment,
    severity: 'error',
    from: { path: `^${folder}/` },
    to: { path: SOURCE, pathNot: [`^${folder}/`, ...allowed] },
  };
}

/** The rule that `folder` imports only types from `path`. */
function typesOnly(folder, path, comment) {
  return {
    name: `${folder}-${path.replace(/\W/g, '')}-types-only`,
    comment,
    severity: 'error',
    from: { path: `^${folder}/` },
    to: { path, dependencyTypesNot: ['type-only'] },
  };
}

function never(folder, path, name, comment) {
  return {
    name: `${folder}-without-${name}`,
    comment,
    severity: 'error',
    from: { path: `^${folder}/` },
    to: { path },
  };
}

/**
 * The rules for layers of folders in `folder`, the lowest first. Of the folders named here each imports only those of
 * earlier rows, so that no two of them need each other.
 */
function layers(folder, rows) {
  const pathOf = (name) => `^${folder}/${name}/`;
  const isWithin = (name, other) => name === other || name.startsWith(`${other}/`);
  return rows.flatMap((row, at) =>
    row.flatMap((name) => {
      const others = rows.slice(at).flat();
      const path = others.filter((other) => !isWithin(name, other) && !isWithin(other, name)).map(pathOf);
      if (path.length === 0) return [];
      return {
        name: `${folder}-${name}-imports-only-below`.replaceAll('/', '-'),
        comment: 'A folder imports those of earlier rows, and no other folder of its row.',
        severity: 'error',
        from: { path: pathOf(name) },
        to: { path },
      };
    }),
  );
}

module.exports = { layers, never, npm, only, SOURCE, typesOnly };
