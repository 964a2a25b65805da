import { shorten } from './json';
import { redact } from './redact';
import type { ToolCall } from './runs';

/** The server refuses a summary of more than 400 bytes; a character takes up to three. */
export const SUMMARY_LENGTH = 120;

/** One line for the Temporal UI: the tool and its arguments, secrets hidden. Pure. */
export function summariseCall({ toolName, args }: Pick<ToolCall, 'toolName' | 'args'>): string {
  return shorten(`${toolName} ${JSON.stringify(redact(args))}`, SUMMARY_LENGTH);
}
