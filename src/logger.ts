import pino from 'pino';
import pretty from 'pino-pretty';
import type { Config } from './config';

export type Logger = pino.Logger;

/**
 * The process's logger, to standard output: one JSON object a line, or readable text on a terminal.
 * `part` names the process in every line.
 */
export function createLogger(config: Pick<Config, 'LOG_LEVEL' | 'LOG_FORMAT'>, part: string): Logger {
  const options: pino.LoggerOptions = {
    level: config.LOG_LEVEL,
    base: { part },
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths: ['*.authorization', '*.apiKey', '*.password', '*.cookie'], censor: '[hidden]' },
  };
  if (!isReadable(config)) return pino(options);
  // In the same thread: a transport thread costs memory, and loses the last lines of a dying process.
  return pino(options, pretty({ sync: true, ignore: 'pid,hostname', translateTime: 'HH:MM:ss.l' }));
}

/** Whether the log is text for a person. */
export function isReadable({ LOG_FORMAT }: Pick<Config, 'LOG_FORMAT'>): boolean {
  return LOG_FORMAT === 'pretty' || (LOG_FORMAT === 'auto' && process.stdout.isTTY);
}
