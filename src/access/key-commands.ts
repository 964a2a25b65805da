import { parseArgs } from 'node:util';
import type { z } from 'zod';
import { HoldfastError, messageOf } from '../base/errors';
import { keyIdSchema, newKeySchema, type ListedKey } from '../contracts/http/access';
import type { KeyStore } from './key-store';

const USAGE =
  'create --name NAME --scopes SCOPE,… [--tenant TENANT] [--user USER] [--expires TIME], list, rotate ID or revoke ID, each with --json';
const OPTIONS = {
  name: { type: 'string' },
  scopes: { type: 'string' },
  tenant: { type: 'string' },
  user: { type: 'string' },
  expires: { type: 'string' },
  json: { type: 'boolean' },
} as const;
const DATE = /^\d{4}-\d{2}-\d{2}$/;

interface Outcome {
  /** What `--json` prints. */
  readonly result: unknown;
  /** What people read. */
  readonly text: string;
}

/**
 * Runs one command of `npm run keys`.
 * @param args the words after `--`
 * @returns what it prints; with `--json` one line
 * @throws HoldfastError `CONFIGURATION` if the words are no command, `VALIDATION` for wrong values, `KEY_NOT_FOUND`
 */
export async function runKeyCommand(keys: KeyStore, args: readonly string[]): Promise<string> {
  const { positionals, values } = parseWords(args);
  const [command = '', id, ...rest] = positionals;
  const named = command === 'rotate' || command === 'revoke';
  if (rest.length > 0 || named !== (id !== undefined)) throw misused();
  const { result, text } = await run(keys, command, id ?? '', values);
  return values.json === true ? JSON.stringify(result) : text;
}

type Values = ReturnType<typeof parseWords>['values'];

async function run(keys: KeyStore, command: string, id: string, values: Values): Promise<Outcome> {
  switch (command) {
    case 'create': {
      const issued = await keys.create(check(newKeySchema, readNewKey(values)));
      return { result: issued, text: issued.key };
    }
    case 'list': {
      const listed = await keys.list();
      return { result: listed, text: listed.map(describe).join('\n') || 'There is no key.' };
    }
    case 'rotate': {
      const issued = await keys.rotate(check(keyIdSchema, id));
      return { result: issued, text: issued.key };
    }
    case 'revoke':
      await keys.revoke(check(keyIdSchema, id));
      return { result: { id, revoked: true }, text: `The key ${id} is revoked.` };
    default:
      throw misused();
  }
}

function parseWords(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true });
  } catch (error) {
    throw new HoldfastError('CONFIGURATION', messageOf(error));
  }
}

function readNewKey({ name, scopes, tenant, user, expires }: Values): unknown {
  return {
    name,
    tenant,
    userId: user,
    scopes: scopes?.split(',').map((scope) => scope.trim()),
    // A date alone means its first moment in UTC.
    expiresAt: expires !== undefined && DATE.test(expires) ? `${expires}T00:00:00Z` : expires,
  };
}

function check<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const { path, message } = parsed.error.issues[0] ?? { path: [], message: 'it is not valid' };
  throw new HoldfastError('VALIDATION', `${path.join('.') || 'ID'}: ${message}`);
}

/** Control characters of names, by which a terminal could show something else than there is. */
const CONTROL = /\p{Cc}/gu;

function describe({ id, name, scopes, tenant, userId, expiresAt }: ListedKey): string {
  const line = [
    id,
    name,
    scopes.join(','),
    `tenant ${tenant}`,
    ...(userId === undefined ? [] : [`user ${userId}`]),
    expiresAt === undefined ? 'for ever' : `until ${expiresAt}`,
  ].join('  ');
  return line.replace(CONTROL, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function misused(): HoldfastError {
  return new HoldfastError('CONFIGURATION', `The commands are ${USAGE}`);
}
