import { z } from 'zod';
import { httpAddress, milliseconds, port } from './fields';

/** An address to listen at: the SDK resolves no names here. */
const METRICS_LISTENER = /^(\d{1,3}(\.\d{1,3}){3}|\[[\da-fA-F:.]+\]):\d{1,5}$/;

export const addressSettings = {
  HOST: z.string().default('127.0.0.1').describe('Address the HTTP servers listen on'),
  PORT: port.default(3000).describe('Port of the API'),
  RECORDS_PORT: port.default(3001).describe('Port of the record-keeping API'),
  DATA_DIR: z.string().default('./data').describe('Folder of all embedded data'),
  ALLOWED_HOSTS: z
    .string()
    .default('')
    .describe(
      'Host names answered, and taken as Origin, besides those of this machine, comma-separated; if this is empty and HOST is not loopback, any name is answered, and only pages of the very origin that is asked may change something',
    ),
  CORS_ORIGINS: z
    .string()
    .default('')
    .describe(
      'Other origins whose pages may call the API, /mcp and streams of events, comma-separated, such as https://app.example; each is named: * and null are refused. RECORDS_CORS_ORIGINS is for the record-keeping API',
    ),
  CONSOLE: z
    .enum(['on', 'off'])
    .default('on')
    .describe('Whether the API serves the console, a page for people, at /console'),
  PUBLIC_URL: httpAddress
    .optional()
    .describe(
      'Address under which people open links to this API, such as https://holdfast.example; ALLOWED_HOSTS has to have its name; absent: the one that a request was sent to, and no person can log in at remote MCP servers',
    ),
};

export const startSettings = {
  STARTUP_WAIT_MS: milliseconds(0, 3_600_000)
    .default(60_000)
    .describe(
      'How long a starting process waits for a Neo4j server or a bucket that is not there yet, or for a file that another process has locked, ms',
    ),
  WORKER_PROBE_PORT: port
    .optional()
    .describe('Port on which a worker alone answers /livez and /readyz; absent: none'),
};

export const metricSettings = {
  METRICS_ADDRESS: z
    .string()
    .regex(METRICS_LISTENER, 'it has to be like 127.0.0.1:9464 or [::1]:9464, an address and not a name')
    .optional()
    .describe(
      'Address of a Prometheus endpoint, /metrics, of this process, such as 127.0.0.1:9464; absent: none',
    ),
  OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: httpAddress
    .optional()
    .describe(
      'Address of an OpenTelemetry collector that figures are sent to, such as http://localhost:4317; absent: none',
    ),
  OTEL_EXPORTER_OTLP_METRICS_PROTOCOL: z
    .enum(['grpc', 'http/protobuf'])
    .default('grpc')
    .describe(
      'How they are sent; with http/protobuf the address is the whole one, such as http://localhost:4318/v1/metrics',
    ),
  OTEL_EXPORTER_OTLP_METRICS_HEADERS: z
    .string()
    .default('')
    .describe('Headers to send with them, such as key=value,key=value'),
  OTEL_METRIC_EXPORT_INTERVAL: milliseconds(1_000, 3_600_000)
    .default(60_000)
    .describe('How often they are sent, ms'),
};

export const logSettings = {
  LOG_LEVEL: z
    .enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'])
    .default('info')
    .describe('Least severe log level written'),
  LOG_FORMAT: z
    .enum(['auto', 'json', 'pretty'])
    .default('auto')
    .describe('auto: pretty on a terminal, else JSON'),
};
