import { validationError } from '../../src/base/errors';
import { findNearest } from '../../src/base/text/nearest';
import type { ToolRegistry } from '../../src/tools/registry';
import type { ApprovalOption } from './approval-option';

/**
 * Checks that the tools whose calls shall wait exist: no call of a misspelt one would wait. Tools of remote servers are in
 * the registry too.
 * @throws HoldfastError `VALIDATION`
 */
export async function checkApprovalTools(
  registry: Pick<ToolRegistry, 'list'>,
  option: ApprovalOption,
): Promise<void> {
  const { tools } = option ?? {};
  if (!Array.isArray(tools)) return;
  const known = (await registry.list()).map(({ name }) => name);
  const index = tools.findIndex((name) => !known.includes(name));
  const name = tools[index];
  if (name === undefined) return;
  const near = findNearest(name, known);
  const advice = near === undefined ? 'GET /api/tools lists them' : `the nearest is ${near.name}`;
  throw validationError(`options.approval.tools[${index}]`, `there is no tool named "${name}"; ${advice}`);
}
