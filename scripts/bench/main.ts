/** Prints tables for docs/performance.md. A build beside it doubles every figure. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import os from 'node:os';
import path from 'node:path';
import { ROOT } from '../build/files';
import { runCommand } from '../command-line.mjs';
import type { Site } from './site';

const onSite = async (use: (site: Site) => Promise<void>): Promise<void> => (await import('./site')).withSite(use);

/** A bench that forks itself, and so is a program of its own, which takes figures as its words. */
async function runProgram(name: string): Promise<void> {
  const program = fork(path.join(ROOT, `scripts/bench/${name}.ts`), { execArgv: ['--import', 'tsx'] });
  const [code] = (await once(program, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`${name} ended with ${code}`);
}

/** Each part is loaded when it is measured: `--help` does not wait for them. */
const PARTS: Record<string, (runs: number) => Promise<void>> = {
  pages: (runs) => onSite(async (site) => (await import('./pages')).benchPages(site, runs)),
  api: async () => (await import('./api')).benchApi(),
  ingest: async () => (await import('./ingest')).benchIngest(),
  proxy: () => runProgram('proxy'),
  flood: () => runProgram('flood'),
};
const ALL = Object.keys(PARTS).join();

void runCommand(
  {
    name: 'bench',
    what: 'Measures speed and prints tables for docs/performance.md.',
    options: {
      runs: { type: 'string', what: 'medians of so many, 5' },
      only: { type: 'string', what: `some of ${ALL}` },
    },
  },
  async ({ values: { only = ALL, runs = '5' } }) => {
    const named = only.split(',').map((name) => [name, PARTS[name]] as const);
    const unknown = named.filter(([, part]) => !part).map(([name]) => name);
    if (unknown.length > 0) throw new Error(`there is no ${unknown.join()}: ${ALL}`);
    const [{ model = '' } = {}] = os.cpus();
    const today = new Date().toISOString().slice(0, 10);
    console.log(`${today} · ${os.cpus().length} cores, ${model} · Node ${process.versions.node} · medians of ${runs}`);
    for (const [, part] of named) await part?.(Number(runs));
  },
);
