import { createRequire } from 'node:module';
import { join } from 'node:path';

/** The jest projects of `npm run test:unit`, which starts no server. */
const UNIT = ['unit'];

/** The jest projects of `npm test`: they need Temporal's development server and no Java. */
const USUAL = ['unit', 'english', 'contract-sqlite', 'replay', 'tour'];

/** How long `npm test` may take on two quiet cores, seconds. A suite beyond that belongs into a folder of `npm run test:all`. */
export const MAX_USUAL_SECONDS = 8 * 60;

/**
 * @typedef {object} Part jest runs the suites of a part together
 * @property {string} name as it is printed
 * @property {string[]} projects
 * @property {boolean} needsServers whether it needs the servers that `fetchServers` provides
 */

/**
 * The parts of a command, in their order. `all` begins with what `usual` runs, and each suite is in one part.
 *
 * @param {string} tier `unit`, `usual` or `all`
 * @param {string[]} projects the names of all jest projects
 * @returns {Part[]}
 */
export function partsOf(tier, projects) {
  const usual = { name: 'npm test', projects: USUAL, needsServers: false };
  switch (tier) {
    case 'unit':
      return [{ name: 'npm run test:unit', projects: UNIT, needsServers: false }];
    case 'usual':
      return [usual];
    case 'all': {
      const rest = projects.filter((name) => !USUAL.includes(name));
      return [usual, { name: 'the rest of npm run test:all', projects: rest, needsServers: true }];
    }
    default:
      throw new Error(`There is no tier "${tier}": use unit, usual or all.`);
  }
}

/**
 * The jest projects, each with its folders relative to the root.
 *
 * @param {string} root
 * @returns {{ name: string, folders: string[] }[]}
 */
export function readProjects(root) {
  const { projects } = createRequire(import.meta.url)(join(root, 'jest.config.js'));
  return projects.map(({ displayName, roots }) => ({
    name: displayName,
    folders: roots.map((folder) => folder.replace('<rootDir>/', '')),
  }));
}

/**
 * The tier and the arguments for jest in the arguments of `scripts/test.mjs`. With arguments for jest and no tier, jest
 * runs over all projects.
 *
 * @param {string[]} args such as `['--tier', 'unit', 'calculator']`
 * @returns {{ tier: string | undefined, jestArgs: string[] }}
 */
export function readArguments(args) {
  if (args[0] === '--tier') return { tier: args[1], jestArgs: args.slice(2) };
  return { tier: args.length === 0 ? 'usual' : undefined, jestArgs: args };
}
