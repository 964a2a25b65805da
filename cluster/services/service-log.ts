import pino from 'pino';
import pretty from 'pino-pretty';
import type { Config } from '../../src/settings/config';
import { isReadable, type LineOutput } from '../../src/base/logger';

/** The fields of a service's log line that the cluster uses. */
export interface ServiceLine {
  readonly level?: number;
  readonly msg?: string;
  readonly [field: string]: unknown;
}

/** Writes the output of all services to one stream, each line with the name of its process. */
export interface ServiceLog {
  /** @returns the fields of the line; undefined if the line is not one of the service's log */
  write(name: string, line: string): ServiceLine | undefined;
}

/**
 * Creates the log of all services. In JSON the name of the process is the field `process`; in readable text it is in
 * front. The services log at level `info` or lower, so that the cluster notices when they are up. Lines below the
 * level of the settings are dropped here.
 */
export function createServiceLog(
  config: Pick<Config, 'LOG_LEVEL' | 'LOG_FORMAT'>,
  stream: LineOutput,
): ServiceLog {
  const readable = isReadable(config);
  const format = pretty.prettyFactory({ ignore: 'pid,hostname', translateTime: 'HH:MM:ss.l' });
  const minLevel = pino.levels.values[config.LOG_LEVEL] ?? Infinity;
  return {
    write(name, line) {
      const fields = parseLine(line);
      if (fields === undefined) stream.write(readable ? `${name} | ${line}\n` : wrapLine(name, line));
      else if ((fields.level ?? 0) >= minLevel)
        stream.write(readable ? `${name} | ${format(line)}` : `{"process":"${name}",${line.slice(1)}\n`);
      return fields;
    },
  };
}

/** The level at which a service has to log. */
export function serviceLogLevel({ LOG_LEVEL }: Pick<Config, 'LOG_LEVEL'>): string {
  return LOG_LEVEL === 'trace' || LOG_LEVEL === 'debug' ? LOG_LEVEL : 'info';
}

/** Wraps a line that is not one of the log, such as the output of Node.js when it ends with an error. */
function wrapLine(name: string, line: string): string {
  return `${JSON.stringify({ process: name, level: pino.levels.values['error'], msg: line })}\n`;
}

function parseLine(line: string): ServiceLine | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    return JSON.parse(line) as ServiceLine;
  } catch {
    return undefined;
  }
}
