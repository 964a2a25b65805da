import type { Egress } from '../../egress/egress';
import type { Sandbox } from '../../sandbox/sandbox';
import type { BuiltinTool } from '../tool';
import { createApiCall } from './api-call';
import { createCalculator } from './calculator';
import { createFileRead, type FileReadOptions } from './file-read';
import { createJsonReader } from './json-reader';
import type { OpenMeteoOptions } from './open-meteo';
import { createWeather } from './weather';

export interface BuiltinToolPorts extends FileReadOptions {
  /** For requests to addresses that callers name. */
  readonly egress: Egress;
  /** For requests to addresses of the settings. */
  readonly operatorEgress: Egress;
  readonly sandbox: Pick<Sandbox, 'queryJson'>;
  /** Reads large JSON texts in a thread. */
  readonly largeJson: Pick<Sandbox, 'rewriteJson'>;
  readonly weather: OpenMeteoOptions;
  /** Names of the tools that are switched on; absent: all. */
  readonly names?: readonly string[];
}

/** The built-in tools that are switched on, by name, on the ports of a worker. */
export function createBuiltinTools(ports: BuiltinToolPorts): ReadonlyMap<string, BuiltinTool> {
  const tools = [
    createCalculator(),
    createApiCall(ports.egress, ports.largeJson, ports.sandbox),
    createJsonReader(ports.sandbox),
    createFileRead(ports),
    createWeather(ports.operatorEgress, ports.weather),
  ];
  const { names } = ports;
  const on = names === undefined ? tools : tools.filter(({ name }) => names.includes(name));
  return new Map(on.map((tool) => [tool.name, tool]));
}
