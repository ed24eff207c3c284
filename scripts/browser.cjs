/** The browser of tests and measurements. CommonJS: Playwright's settings cannot take it from a module of Node. */
const { existsSync } = require('node:fs');

/** Chromium without its own windows: a page costs the tests less than half of the processor time. */
exports.HEADLESS = '/usr/bin/chromium-headless-shell';
const BROWSERS = [
  process.env.CHROME_PATH,
  exports.HEADLESS,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];
const isThere = (file) => file && existsSync(file);
exports.installedBrowser = () => BROWSERS.find(isThere);
/** Browser with notifications, which the headless shell does not show. */
exports.wholeBrowser = () => BROWSERS.filter((file) => file !== exports.HEADLESS).find(isThere);
