/**
 * Measures on this machine and prints tables for docs/performance.md. Run it on an idle machine: a build beside it
 * doubles every figure.
 */
import os from 'node:os';
import { runCommand } from '../command-line.mjs';
import { benchAdminLists } from './admin-lists';
import { benchApi } from './api';
import { benchCloseWeek } from './close-week';
import { benchIngest } from './ingest';
import { benchLighthouse } from './lighthouse';
import { benchPages } from './pages';
import { withSite } from './site';
import { benchSoak } from './soak';
import { benchViews } from './views';
import { benchWorkerList } from './worker-list';

type Options = { runs: number; updates: number; changes: number };

const PARTS: Record<string, (options: Options) => Promise<void>> = {
  pages: ({ runs }) => withSite((site) => benchPages(site, runs)),
  list: ({ runs }) => withSite((site) => benchWorkerList(site, runs)),
  api: benchApi,
  ingest: benchIngest,
  week: benchCloseWeek,
  views: () => benchViews(),
  admin: benchAdminLists,
  lighthouse: () => withSite(benchLighthouse),
  soak: (options) => withSite((site) => benchSoak(site, options)),
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
