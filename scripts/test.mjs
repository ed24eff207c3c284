/** `npm test`: installs what the tests need, then runs everything (scripts/test/run.ts). */
import { readArguments } from './command-line.mjs';
import { ensureInstalled, findChromium, installTestTools } from './setup.mjs';

readArguments({ name: 'test', what: 'Runs everything; one unit: npm run check -- <unit>.' });
const tools = installTestTools();
ensureInstalled({ tools: true });
await tools;
process.env.CHROME_PATH = await findChromium();
const { tsImport } = await import('tsx/esm/api');
await tsImport('./test/run.ts', import.meta.url);
