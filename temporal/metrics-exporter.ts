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

/** How the SDK gives out figures; undefined where nobody asked for any. The settings name one way at most. */
export function metricsExporter(settings: MetricsSettings, part: string): MetricsExporterConfig | undefined {
  const histogramBucketOverrides = HISTOGRAM_BUCKETS;
  // Else each figure would carry the name of the SDK.
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
  // Here they are attributes of whoever sends, which a collector tells one process from another by.
  const globalTags = { part, 'service.name': 'holdfast', 'service.instance.id': settings.identity };
  return { ...labels, globalTags, otel };
}

/** The SDK says what is wrong with an address, but not which setting it came from. */
export function orSettingToBlame<T>(settings: MetricsSettings, install: () => T): T {
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
