import { type HoldfastError, isHoldfastError, validationError } from '../../base/errors';
import { throwFirst } from '../../base/problems';
import type { StoredTool } from '../../contracts/http/tools';
import { outgoingHeaders } from '../../egress/headers';
import { parseHttpUrl } from '../../egress/hops';
import type { ToolArguments } from '../tool';
import { readExpected } from './expected-status';
import { compileJsonQuery } from './json-query';
import { encodeForm } from './multipart-form';
import { readPages } from './next-page';
import { readParams } from './request-body';
import { readHeaders } from './headers';

/** Checks one argument of a built-in tool. @throws HoldfastError `VALIDATION`, or as the tool itself does */
type Check = (value: unknown, field: string) => void;

/** What is parsed when the tool runs, by tool and argument. */
const CHECKS: Readonly<Record<string, Readonly<Record<string, Check>>>> = {
  api_call: {
    url: (value) => void parseHttpUrl(value as string),
    headers: (headers, field) => void outgoingHeaders(Object.fromEntries(readHeaders(headers, field)), ''),
    expect: readExpected,
    params: readParams,
    form: (value, field) => void encodeForm(value, field),
    paginate: (value, field) => void readPages(value, field),
  },
  json_reader: { path: (value) => void compileJsonQuery(value as string) },
};

/** Checks arguments as `literalProblems` does. @throws HoldfastError `VALIDATION` for the first problem */
export function checkLiterals(...args: Parameters<typeof literalProblems>): void {
  throwFirst(literalProblems(...args));
}

/**
 * Checks arguments of a built-in tool that are texts of a form of their own: addresses, headers, statuses and JSONPath queries.
 * One that cannot work is found here, before anything runs.
 * @param args have the declared types
 * @param fieldPrefix the place of the arguments, as in `args` or `config`
 * @param skip true for a value that is not known yet
 * @returns a `VALIDATION` for each argument with a problem
 */
export function* literalProblems(
  { name, implementation }: Pick<StoredTool, 'name' | 'implementation'>,
  args: ToolArguments,
  fieldPrefix = 'args',
  skip: (value: unknown) => boolean = () => false,
): Generator<HoldfastError> {
  if (implementation.kind !== 'builtin') return;
  for (const [argument, check] of Object.entries(CHECKS[name] ?? {})) {
    const value = args[argument];
    const field = `${fieldPrefix}.${argument}`;
    if (value === undefined || value === null || skip(value)) continue;
    try {
      check(value, field);
    } catch (error) {
      if (!isHoldfastError(error)) throw error;
      yield error.code === 'VALIDATION' ? error : validationError(field, error.message);
    }
  }
}
