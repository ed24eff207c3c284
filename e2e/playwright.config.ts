import { defineConfig } from '@playwright/test';
import { installedBrowser } from '../scripts/browser.cjs';

/** Journeys in another browser than the rest come first, because they would be alone at the end. */
const FIRST = /push\.spec\.ts/;

export default defineConfig({
  testDir: './specs',
  outputDir: '../test-results',
  globalSetup: './fixtures/global-setup.ts',
  fullyParallel: true,
  // A journey waits for about half of its time: five side by side use both cores of a small machine.
  workers: 5,
  // Limits only name what hangs: a machine that is three times slower, or shared, passes as well.
  timeout: 900_000,
  // A broken product fails soon and says so, instead of waiting for every journey in turn.
  maxFailures: process.env.CI ? 8 : 0,
  globalTimeout: 55 * 60_000,
  expect: { timeout: 90_000 },
  reporter: process.env.PLAYWRIGHT_JSON_OUTPUT_NAME ? [['list'], ['json']] : [['list']],
  projects: [
    { name: 'first', testMatch: FIRST },
    { name: 'rest', testIgnore: FIRST },
  ],
  use: {
    // A person has given up long before; without it a click waits until the journey's own end.
    actionTimeout: 120_000,
    viewport: { width: 1440, height: 900 },
    locale: 'en-GB',
    timezoneId: 'UTC',
    // A moving menu may be clicked where it is no longer; choices.spec.ts looks at the product with its motion.
    contextOptions: { reducedMotion: 'reduce' },
    // Requests that a worker answers are not seen by `page.route`: journeys about it allow it.
    serviceWorkers: 'block',
    screenshot: 'only-on-failure',
    trace: 'on-first-retry',
    launchOptions: {
      executablePath: installedBrowser(),
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
});
