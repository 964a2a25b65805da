import type { MetricsExporterConfig } from '@temporalio/worker';
import type { Config } from '../src/settings/config';
import { HoldfastError, messageOf } from '../src/base/errors';
import { HISTOGRAM_BUCKETS } from './metrics';

export type MetricsSettings = Pick<
  Config,
  | 'identity'
  | 'METRICS_ADDRESS'
  | 'OTEL_EXPORTER_OTLP_METRICS_ENDPOINT'
  | 'OTEL_EXPORTER_OTLP_METRICS_PROTOCOL'
  | 'OTEL_EXPORTER_OTLP_METRICS_HEADERS'
  | 'OTEL_METRIC_EXPORT_INTERVAL'
>;

/**
 * The SDK's options for exposing or sending metrics; undefined if the settings ask for neither. They ask for one
 * at most.
 */
export function toExporterConfig(settings: MetricsSettings, part: string): MetricsExporterConfig | undefined {
  const histogramBucketOverrides = HISTOGRAM_BUCKETS;
  // Without `attachServiceName: false` each metric would have the name of the SDK as a label.
  const labels = { globalTags: { part }, attachServiceName: false };
  const { METRICS_ADDRESS: address, OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: url } = settings;
  if (address !== undefined) {
    const prometheus = {
      bindAddress: address,
      countersTotalSuffix: true,
      unitSuffix: true,
      useSecondsForDurations: true,
      histogramBucketOverrides,
    };
    return { ...labels, prometheus };
  }
  if (url === undefined) return undefined;
  const otel = {
    url,
    http: settings.OTEL_EXPORTER_OTLP_METRICS_PROTOCOL === 'http/protobuf',
    headers: Object.fromEntries(settings.OTEL_EXPORTER_OTLP_METRICS_HEADERS),
    metricsExportInterval: settings.OTEL_METRIC_EXPORT_INTERVAL,
    useSecondsForDurations: true,
    histogramBucketOverrides,
  };
  // In OTLP the tags are attributes of the sending process, by which a collector distinguishes processes.
  const globalTags = { part, 'service.name': 'holdfast', 'service.instance.id': settings.identity };
  return { ...labels, globalTags, otel };
}

/**
 * Adds the name of the setting to an error of the SDK, which says what is wrong with an address, but not where it
 * came from.
 */
export function blameMetricsSetting<T>(settings: MetricsSettings, install: () => T): T {
  try {
    return install();
  } catch (error) {
    const { METRICS_ADDRESS: address, OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: endpoint } = settings;
    const setting =
      address === undefined
        ? `OTEL_EXPORTER_OTLP_METRICS_ENDPOINT (${endpoint})`
        : `METRICS_ADDRESS (${address})`;
    throw new HoldfastError('CONFIGURATION', `${setting} cannot be used: ${messageOf(error)}`);
  }
}
