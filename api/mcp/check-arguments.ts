import type { Tool } from '@modelcontextprotocol/server';
import { validationError } from '../../src/base/errors';
import { findNearest } from '../../src/base/text/nearest';
import type { ToolArguments } from './tool-source';

/** Checks that a tool has each argument of a call. @throws HoldfastError `VALIDATION` for a name that it does not have */
export function checkArgumentNames({ name, inputSchema }: Tool, args: ToolArguments): void {
  const unknown = Object.keys(args).find(
    (argument) => !Object.hasOwn(inputSchema.properties ?? {}, argument),
  );
  if (unknown === undefined) return;
  const near = findNearest(unknown, Object.keys(inputSchema.properties ?? {}));
  const advice = near === undefined ? '' : `; the nearest is ${near.name}`;
  throw validationError(unknown, `${name} has no argument "${unknown}"${advice}`);
}
