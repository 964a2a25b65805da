import { isAtLeast } from './releases.mjs';

/** The first release whose `server start-dev` has every option that this project uses. */
const MIN_CLI = [1, 5];
/**
 * The server inside that release. It is checked for a binary built from source, which reports no version of the CLI.
 */
const MIN_SERVER = [1, 29];
const UNRELEASED = '0.0.0-DEV';

/**
 * Reads the output of `temporal --version`, as in "temporal version 1.5.1 (Server 1.29.1, UI 2.42.1)".
 *
 * @param {string} text
 * @returns {{ cli: string, server: string | undefined } | undefined} undefined for any other program
 */
function parseVersion(text) {
  const match = /^temporal version (\S+)(?: \(Server ([^,\s)]+))?/m.exec(text);
  return match ? { cli: match[1], server: match[2] } : undefined;
}

/** Says why this version cannot be used; undefined if it can. */
export function findVersionFault(text) {
  const version = parseVersion(text);
  if (!version) return 'is not the Temporal CLI';
  if (version.cli === UNRELEASED) {
    if (version.server && isAtLeast(numbersOf(version.server), MIN_SERVER)) return undefined;
    return `holds server ${version.server ?? 'unknown'}, and ${MIN_SERVER.join('.')} or later is needed`;
  }
  if (isAtLeast(numbersOf(version.cli), MIN_CLI)) return undefined;
  return `is version ${version.cli}, and ${MIN_CLI.join('.')} or later is needed`;
}

function numbersOf(version) {
  return (/^v?(\d+)\.(\d+)/.exec(version) ?? []).slice(1).map(Number);
}
