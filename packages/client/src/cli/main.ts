#!/usr/bin/env node
import { runCommand } from './run-command.js';

const INTERRUPTED = 130;

// A run lives in the service, so that it outlives this program.
process.on('SIGINT', () => process.exit(INTERRUPTED));
// What reads the output may end first, as `head` does.
process.stdout.on('error', () => process.exit(0));
process.exitCode = await runCommand(process.argv.slice(2), process);
