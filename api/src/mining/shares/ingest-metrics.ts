import type { Registry } from 'prom-client';
import { counter, gauge } from '../../platform/metrics';

type Measured = { waiting(): number; secondsSinceCounted(): number; refused(): number };

export type IngestMetrics = ReturnType<typeof ingestMetrics>;

export function ingestMetrics(registry: Registry, { waiting, secondsSinceCounted, refused }: Measured) {
  gauge(registry, 'ingest_waiting_segments', 'Finished journal segments that are not counted yet', waiting);
  const since = 'Seconds since shares of the journal were counted, or none waited';
  gauge(registry, 'ingest_seconds_since_counted', since, secondsSinceCounted);
  const files = 'Files of shares that could not be counted and need an operator (docs/monitoring.md)';
  gauge(registry, 'ingest_refused_files', files, refused);
  const damaged = 'Lines of the journal that were set aside because they are damaged or no shares';
  const lost = 'Counted journal segments that the database has lost, and that are counted again';
  return {
    counted: counter(registry, 'ingest_shares_total', 'Shares recorded in the journal', ['outcome']),
    damaged: counter(registry, 'ingest_damaged_lines_total', damaged),
    syncFailures: counter(registry, 'ingest_sync_failures_total', 'Syncs of the journal that failed'),
    lost: counter(registry, 'ingest_lost_segments_total', lost),
  };
}
