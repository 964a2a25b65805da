import { isHoldfastError, messageOf, validationError } from '../../../src/base/errors';
import type { NewMcpServer } from '../../../src/contracts/http/mcp-servers';
import { outgoingHeaders } from '../../../src/egress/headers';
import { parseHttpUrl } from '../../../src/egress/hops';

type Texts = Readonly<Record<string, string>>;

export interface HttpTarget {
  readonly url: string;
  readonly headers: Texts;
  /** How the service logs in; absent: it does not. */
  readonly auth?: NewMcpServer['auth'];
}

/** A program that is run on this machine, and speaks the protocol by its standard input and output. */
export interface CommandTarget {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Texts;
}

/** Headers that the protocol sets. */
const PROTOCOL_HEADERS = /^(accept|content-type|last-event-id|mcp-.*)$/i;
const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]*$/;

/**
 * Checks where a caller says that a server is.
 * @throws HoldfastError `VALIDATION` unless there is one of `url` and `command`, with fields of its own alone
 */
export function checkTarget({
  url,
  headers,
  auth,
  command,
  args,
  env,
}: Omit<NewMcpServer, 'name'>): HttpTarget | CommandTarget {
  if (url !== undefined && command === undefined) {
    if (args !== undefined) throw validationError('args', 'belongs to command, and not to url');
    if (env !== undefined) throw validationError('env', 'belongs to command, and not to url');
    return { ...checkHttpTarget(url, headers ?? {}), ...checkAuth(auth, headers) };
  }
  if (command === undefined) throw validationError('url', 'is needed, or command instead of it');
  if (url !== undefined) throw validationError('command', 'cannot be given beside url');
  if (headers !== undefined) throw validationError('headers', 'belongs to url, and not to command');
  if (auth !== undefined) throw validationError('auth', 'belongs to url, and not to command');
  return checkCommandTarget(command, args ?? [], env ?? {});
}

function checkHttpTarget(url: string, headers: Texts): HttpTarget {
  const checkedUrl = asValidation('url', () => parseHttpUrl(url).href);
  asValidation('headers', () => outgoingHeaders(headers, ''));
  const reserved = Object.keys(headers).find((name) => PROTOCOL_HEADERS.test(name));
  if (reserved !== undefined) throw validationError(`headers.${reserved}`, 'is set by the protocol');
  return { url: checkedUrl, headers };
}

function checkAuth(auth: HttpTarget['auth'], headers: Texts = {}): Pick<HttpTarget, 'auth'> {
  if (auth === undefined) return {};
  if (auth.clientSecret !== undefined && auth.clientId === undefined)
    throw validationError('auth.clientSecret', 'needs clientId');
  const header = Object.keys(headers).find((name) => name.toLowerCase() === 'authorization');
  if (header !== undefined) throw validationError(`headers.${header}`, 'is set by the login');
  return { auth };
}

function checkCommandTarget(command: string, args: readonly string[], env: Texts): CommandTarget {
  if (isUnfit(command)) throw validationError('command', 'has a NUL character');
  const unfit = args.findIndex(isUnfit);
  if (unfit !== -1) throw validationError(`args.${unfit}`, 'has a NUL character');
  for (const [name, value] of Object.entries(env)) {
    if (!VARIABLE.test(name)) throw validationError(`env.${name}`, 'is no name of a variable');
    if (isUnfit(value)) throw validationError(`env.${name}`, 'has a NUL character');
  }
  return { command, args, env };
}

/** Whether a text can be no part of a command line, because such texts end at the first NUL character. */
function isUnfit(text: string): boolean {
  return text.includes('\0');
}

function asValidation<T>(field: string, check: () => T): T {
  try {
    return check();
  } catch (error) {
    if (!isHoldfastError(error)) throw error;
    throw validationError(field, messageOf(error).replace(/^Request refused: /, ''));
  }
}
