import { Counter, Gauge, type Registry } from 'prom-client';

export type IngestMetrics = { counted: Counter<'outcome'>; damaged: Counter; syncFailures: Counter; lost: Counter };

/** Read whenever metrics are asked for. */
type Measured = { waiting(): number; secondsSinceCounted(): number; refused(): number };

export function ingestMetrics(registry: Registry, measured: Measured): IngestMetrics {
  const registers = [registry];
  const gauge = (name: string, help: string, read: () => number): Gauge =>
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(read());
      },
    });
  gauge('ingest_waiting_segments', 'Finished journal segments that are not counted yet', measured.waiting);
  gauge(
    'ingest_seconds_since_counted',
    'Seconds since shares of the journal were counted, or none waited',
    measured.secondsSinceCounted,
  );
  gauge(
    'ingest_refused_files',
    'Files of shares that could not be counted and need an operator (docs/monitoring.md)',
    measured.refused,
  );
  return {
    counted: new Counter({
      name: 'ingest_shares_total',
      help: 'Shares recorded in the journal',
      labelNames: ['outcome'],
      registers,
    }),
    damaged: new Counter({
      name: 'ingest_damaged_lines_total',
      help: 'Lines of the journal that were set aside because they are damaged or no shares',
      registers,
    }),
    syncFailures: new Counter({
      name: 'ingest_sync_failures_total',
      help: 'Syncs of the journal that failed',
      registers,
    }),
    lost: new Counter({
      name: 'ingest_lost_segments_total',
      help: 'Counted journal segments that the database has lost, and that are counted again',
      registers,
    }),
  };
}
