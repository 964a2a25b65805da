import { parseArgs } from 'node:util';
import { createClient, HoldfastApiError, HoldfastRunError } from '../index.js';
import { chat } from './agent.js';
import { type Command, type Line, UsageError } from './command.js';
import { createOutput } from './output.js';
import { rerun } from './rerun.js';
import { cancelRun, followRun, listRuns, showRun } from './runs.js';
import { listSchedules } from './schedules.js';
import { listTools, runTool } from './tools.js';
import { runWorkflow } from './workflows.js';

const COMMANDS: ReadonlyMap<string, Command> = new Map([
  ['runs list', listRuns],
  ['runs show', showRun],
  ['runs follow', followRun],
  ['runs rerun', rerun],
  ['runs cancel', cancelRun],
  ['tools list', listTools],
  ['tools run', runTool],
  ['agent chat', chat],
  ['workflows run', runWorkflow],
  ['schedules list', listSchedules],
]);

const DEFAULT_URL = 'http://127.0.0.1:3000';

/** A run failed or was cancelled, or the service has a fault. */
const FAILED = 1;
/** The command line is wrong. */
const WRONG_USAGE = 2;
/** The service refused the request. */
const REFUSED = 3;
/** The service cannot be reached, or says that it cannot answer now. */
const AWAY = 4;

/** Runs the command of a command line, and prints what it gives. @returns the exit code */
export async function runCommand(
  args: readonly string[],
  { env, stdout, stderr }: Pick<NodeJS.Process, 'env' | 'stdout' | 'stderr'>,
): Promise<number> {
  const output = createOutput(args.includes('--json'), { stdout, stderr });
  try {
    const name = args.slice(0, 2).join(' ');
    const command = COMMANDS.get(name);
    if (args.length === 0 || args.includes('--help') || args.includes('-h')) {
      const target = args.length === 0 ? stderr : stdout;
      target.write(`${command === undefined ? usageOfAll() : usageOf(name, command)}\n`);
      return args.length === 0 ? WRONG_USAGE : 0;
    }
    if (command === undefined) throw new UsageError(`There is no command "${name}"; --help lists them`);
    return (await command.run(readLine(name, command, args.slice(2), env), output)) ?? 0;
  } catch (error) {
    const { exitCode, ...failure } = failureOf(error);
    output.note(output.isJson ? JSON.stringify({ error: failure }) : failure.message);
    return exitCode;
  }
}

/** @throws UsageError */
function readLine(name: string, command: Command, args: readonly string[], env: NodeJS.ProcessEnv): Line {
  const { operands, options = {} } = command;
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      json: { type: 'boolean' },
      ...Object.fromEntries(
        Object.entries(options).map(([option, value]) => [
          option,
          { type: value === '' ? 'boolean' : 'string', multiple: value.endsWith('...') } as const,
        ]),
      ),
    },
  });
  const isEndless = operands.at(-1)?.endsWith('...') === true;
  const min = operands.filter((operand) => !operand.startsWith('[')).length;
  if (positionals.length < min || (!isEndless && positionals.length > operands.length))
    throw new UsageError(`Usage: ${usageOf(name, command)}`);
  const read = values as Readonly<Record<string, string | boolean | readonly string[] | undefined>>;
  return {
    client: createClient(readSettings(env)),
    operands: positionals,
    option: (option) => read[option] as string | undefined,
    options: (option) => (read[option] ?? []) as readonly string[],
    has: (option) => read[option] === true,
  };
}

/** Reads the address and the key. No message has their values, which may be secret. @throws UsageError */
function readSettings(env: NodeJS.ProcessEnv): { readonly baseUrl: string; readonly apiKey?: string } {
  const baseUrl = env['HOLDFAST_URL'] ?? DEFAULT_URL;
  const apiKey = env['HOLDFAST_API_KEY']?.trim() ?? '';
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    throw new UsageError(`HOLDFAST_URL is not an address without credentials, such as ${DEFAULT_URL}`);
  if (!/^[!-~]*$/.test(apiKey)) throw new UsageError('HOLDFAST_API_KEY has characters that no key has');
  return apiKey === '' ? { baseUrl } : { baseUrl, apiKey };
}

interface Failure {
  readonly exitCode: number;
  readonly message: string;
  readonly status?: number | string;
  readonly code?: string | undefined;
  readonly details?: unknown;
}

/** What an error says. @throws the error itself if it is a fault of this program */
function failureOf(error: unknown): Failure {
  if (error instanceof HoldfastApiError) {
    const { message, status, code, details } = error;
    const exitCode = [502, 503, 504].includes(status) ? AWAY : status < 500 ? REFUSED : FAILED;
    return { exitCode, message: `${status} ${code ?? ''}: ${message}`, status, code, details };
  }
  if (error instanceof HoldfastRunError) {
    const { message, status, code, details } = error;
    return { exitCode: FAILED, message: `The run has ended: ${status}. ${message}`, status, code, details };
  }
  const { message, code, cause } = error as NodeJS.ErrnoException;
  if (error instanceof UsageError || code?.startsWith('ERR_PARSE_ARGS') === true)
    return { exitCode: WRONG_USAGE, message };
  // What fetch throws, and what reading an answer that is no JSON throws.
  if (!(error instanceof TypeError || error instanceof SyntaxError)) throw error;
  const reason = (cause as NodeJS.ErrnoException | undefined)?.code ?? message;
  return { exitCode: AWAY, message: `The service of HOLDFAST_URL cannot be reached: ${reason}` };
}

function usageOf(name: string, { operands, options = {} }: Command): string {
  const described = Object.entries({ ...options, json: '' }).map(([option, value]) => {
    const text = value === '' ? `[--${option}]` : `[--${option} ${value.replace(/\.{3}$/, '')}]`;
    return value.endsWith('...') ? `${text}...` : text;
  });
  return ['holdfast-client', name, ...operands, ...described].join(' ');
}

function usageOfAll(): string {
  const lines = [...COMMANDS].map(([name, { summary }]) => `  ${name.padEnd(16)}${summary}`);
  return [
    'holdfast-client COMMAND [--json], or COMMAND --help for its options',
    ...lines,
    `HOLDFAST_URL is the address (${DEFAULT_URL}), HOLDFAST_API_KEY the key.`,
  ].join('\n');
}
