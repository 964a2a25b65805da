import { toolError } from '../../base/errors';
import { toWellFormed } from '../../base/text/well-formed';
import type { HttpImplementation } from '../../contracts/http/tools';
import { evaluateExpression } from '../../templates/evaluate-expression';
import { parseTemplate } from '../../templates/expression';
import { Allowance, followPath, resolveTemplates, type TemplateScope } from '../../templates/resolve';
import { MAX_INSERTED } from '../../templates/resolved-arguments';
import type { ToolArguments } from '../tool';

/** What URLs read as a segment that moves up or stays (WHATWG URL standard, single-dot and double-dot segments). */
const DOT_SEGMENT = /[/\\](?:\.|%2e){1,2}(?:[/\\]|$)/i;

/** Whether the path of an address has a segment that moves. Pure. */
export function hasDotSegment(address: string): boolean {
  return DOT_SEGMENT.test(address.split(/[?#]/)[0] ?? '');
}

/**
 * Builds the request of a call, as arguments of `api_call`. What an argument that was left out is alone in is left out too. Pure.
 * @param headers with templates
 * @throws HoldfastError `TOOL_EXECUTION_FAILED` for a value that an address cannot have; TemplateReferenceError for a template without a value
 */
export function requestOf(
  implementation: HttpImplementation,
  headers: Readonly<Record<string, string>>,
  args: ToolArguments,
): ToolArguments {
  const { method, url, query = {}, body, expect = '2xx' } = implementation;
  const scope = scopeOf(args);
  const allowance = new Allowance(MAX_INSERTED);
  const resolve = (value: unknown): unknown => resolveTemplates(value, scope, allowance);
  return {
    method,
    url: fillAddress(url, scope, allowance),
    params: present(resolve(query) as ToolArguments),
    headers: present(resolve(headers) as ToolArguments),
    body: resolve(body),
    expect,
  };
}

/** Finds the arguments of a call; undefined for one that was left out. */
function scopeOf(args: ToolArguments): TemplateScope {
  return (reference) => {
    const [name] = reference.path;
    if (name !== undefined && !Object.hasOwn(args, name)) return undefined;
    return followPath(args, reference);
  };
}

function present(values: ToolArguments): ToolArguments {
  return Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== undefined && value !== null),
  );
}

/**
 * Fills an address so that each value stays within the part in which its template stands: it is encoded, and a segment of the path
 * is never empty and moves nowhere.
 */
function fillAddress(url: string, scope: TemplateScope, allowance: Allowance): string {
  let address = '';
  const parts = parseTemplate(url);
  for (const part of parts) {
    if (typeof part === 'string') {
      address += part;
      continue;
    }
    const field = [part.root, ...part.path].join('.');
    const value = evaluateExpression(part, scope, allowance.takeLength) ?? '';
    if (!isScalar(value))
      throw toolError(`${field} must be a text, a number or a boolean, as it stands in the address`);
    const isInPath = !/[?#]/.test(address);
    if (isInPath && value === '')
      throw toolError(`${field} must not be empty, as it stands in the path of the address`);
    allowance.take(part.text, value);
    address += encodeURIComponent(toWellFormed(String(value)));
  }
  const [host = ''] = parts.filter((part) => typeof part === 'string');
  if (new URL(address).origin !== new URL(host).origin)
    throw toolError('The arguments would change the host');
  if (hasDotSegment(address)) throw toolError('The arguments would make a segment "." or ".." of the path');
  return address;
}

function isScalar(value: unknown): value is string | number | boolean {
  return ['string', 'number', 'boolean'].includes(typeof value);
}
