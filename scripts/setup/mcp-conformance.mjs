import { join } from 'node:path';
import { installApart } from './install-apart.mjs';

/**
 * Provides the official conformance suite of the Model Context Protocol, in the version that test/mcp/conformance pins. It
 * has a folder of its own, because it needs a newer Node.js than the service, which the package `node` brings and which
 * would be the first in the PATH of all the project's scripts.
 *
 * @param {string} root
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {Promise<{ node: string, suite: string }>} the Node.js to run it with, and its program
 * @throws {SetupError} if npm cannot install it
 */
export async function ensureMcpConformance(root, env = process.env) {
  const source = join(root, 'test', 'mcp', 'conformance');
  const what = 'the MCP conformance suite with its Node.js';
  const folder = await installApart('mcp-conformance', source, {
    what,
    // The package `node` puts its program in place by a script.
    runsScripts: true,
    cost: { fetches: 80, keeps: 240 },
    env,
  });
  return {
    node: join(folder, 'node_modules', 'node', 'bin', 'node'),
    suite: join(folder, 'node_modules', '@modelcontextprotocol', 'conformance', 'dist', 'index.js'),
  };
}
