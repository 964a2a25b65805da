import { readCalculation } from '../calculation/reader';
import { readDocument } from '../documents/reader';
import { KNOWN_TOOLS } from '../known-tools';
import { readFile } from '../places/file';
import { readWeather } from '../places/weather';
import type { Reader } from '../reading/reading';
import { readRequest } from '../requests/reader';
import { readRegistered, readGiven } from '../tools/reader';
import type { ToolDescription } from '../types';

/** Each reads a clause as calls of one kind. */
export const READERS: readonly Reader[] = [
  readCalculation,
  readDocument,
  readRequest,
  readFile,
  readWeather,
  readRegistered,
];

/** The readers for a tool that is chosen already. */
export function readersOf(tool: ToolDescription): readonly Reader[] {
  return KNOWN_TOOLS.some(({ name }) => name === tool.name) ? READERS : [readGiven];
}
