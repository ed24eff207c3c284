/**
 * Measures on this machine and prints tables for docs/performance.md. Run it on an idle machine: a build beside it
 * doubles every figure.
 */
import os from 'node:os';
import { runCommand } from '../command-line.mjs';
import type { Site } from './site';

type Options = { runs: number; updates: number; changes: number };

const onSite = async (use: (site: Site) => Promise<void>): Promise<void> => (await import('./site')).withSite(use);

/** Loaded when they are measured: `--help` does not wait for them. */
const PARTS: Record<string, (options: Options) => Promise<void>> = {
  pages: ({ runs }) => onSite(async (site) => (await import('./pages')).benchPages(site, runs)),
  list: ({ runs }) => onSite(async (site) => (await import('./worker-list')).benchWorkerList(site, runs)),
  api: async () => (await import('./api')).benchApi(),
  ingest: async () => (await import('./ingest')).benchIngest(),
  week: async () => (await import('./close-week')).benchCloseWeek(),
  web: async () => (await import('./web')).benchWeb(),
  views: async () => (await import('./views')).benchViews(),
  admin: async () => (await import('./admin-lists')).benchAdminLists(),
  lighthouse: () => onSite(async (site) => (await import('./lighthouse')).benchLighthouse(site)),
  soak: (options) => onSite(async (site) => (await import('./soak')).benchSoak(site, options)),
};
const USUAL = 'pages,list,api,ingest,week';

void runCommand(
  {
    name: 'bench',
    what: 'Measures speed and prints tables for docs/performance.md.',
    options: {
      runs: { type: 'string', what: 'medians of so many, 5' },
      only: { type: 'string', what: `${Object.keys(PARTS).join()}; ${USUAL} unless some are named` },
      updates: { type: 'string', what: 'of the soak, 1000' },
      changes: { type: 'string', what: 'of the soak, 300' },
    },
  },
  async ({ values: { only = USUAL, runs = '5', updates = '1000', changes = '300' } }) => {
    const named = only.split(',').map((name) => [name, PARTS[name]] as const);
    const unknown = named.filter(([, part]) => !part).map(([name]) => name);
    if (unknown.length > 0) throw new Error(`there is no ${unknown.join()}: ${Object.keys(PARTS).join()}`);
    const [{ model = '' } = {}] = os.cpus();
    const today = new Date().toISOString().slice(0, 10);
    console.log(`${today} · ${os.cpus().length} cores, ${model} · Node ${process.versions.node} · medians of ${runs}`);
    for (const [, part] of named)
      await part?.({ runs: Number(runs), updates: Number(updates), changes: Number(changes) });
  },
);
