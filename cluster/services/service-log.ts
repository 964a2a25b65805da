import type { Writable } from 'node:stream';
import pino from 'pino';
import pretty from 'pino-pretty';
import type { Config } from '../../src/settings/config';
import { isReadable } from '../../src/base/logger';

/** What a service writes, as far as the cluster has to understand it. */
export interface ServiceLine {
  readonly level?: number;
  readonly msg?: string;
  readonly [field: string]: unknown;
}

/** Writes what the services say to one stream, each line with the name of its process. */
export interface ServiceLog {
  /** @returns the line's fields; undefined where it is no line of the service's log */
  write(name: string, line: string): ServiceLine | undefined;
}

/**
 * In JSON the name is a field, `process`; in readable text it is in front. Services log from `info` on, or from below where
 * that is asked for, so that the cluster hears when they are up; what is below the wanted level ends here.
 */
export function createServiceLog(
  config: Pick<Config, 'LOG_LEVEL' | 'LOG_FORMAT'>,
  stream: Writable = process.stdout,
): ServiceLog {
  const readable = isReadable(config);
  const format = pretty.prettyFactory({ ignore: 'pid,hostname', translateTime: 'HH:MM:ss.l' });
  const least = pino.levels.values[config.LOG_LEVEL] ?? Infinity;
  return {
    write(name, line) {
      const fields = parse(line);
      if (fields === undefined) stream.write(readable ? `${name} | ${line}\n` : plain(name, line));
      else if ((fields.level ?? 0) >= least)
        stream.write(readable ? `${name} | ${format(line)}` : `{"process":"${name}",${line.slice(1)}\n`);
      return fields;
    },
  };
}

/** The level that a service has to be told. */
export function serviceLogLevel({ LOG_LEVEL }: Pick<Config, 'LOG_LEVEL'>): string {
  return LOG_LEVEL === 'trace' || LOG_LEVEL === 'debug' ? LOG_LEVEL : 'info';
}

/** A line that is none of the log, such as what Node.js writes when it ends with an error. */
function plain(name: string, line: string): string {
  return `${JSON.stringify({ process: name, level: pino.levels.values['error'], msg: line })}\n`;
}

function parse(line: string): ServiceLine | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    return JSON.parse(line) as ServiceLine;
  } catch {
    return undefined;
  }
}
