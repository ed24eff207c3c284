import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { Builder, By, Capabilities, error, Key, type WebElement } from 'selenium-webdriver';
import { eventually } from '../../api/src/testing/eventually';
import { freePort } from '../../api/src/testing/free-port';
import { type Engine, type Size, WAIT_MS } from './engine';

export const WEBKIT_DRIVER = '/usr/bin/WebKitWebDriver';

/** A display without a screen: WebKitGTK's browser has no headless mode. Resolves to its name. */
async function startDisplay() {
  const server = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1600x1200x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  const [number] = (await once(server.stdio[3] as Readable, 'data')) as [Buffer];
  return { server, name: `:${number.toString().trim()}` };
}

/** WebKit as Debian packages it, the engine of miners' phones, by WebDriver. */
export async function startWebkit(size: Size): Promise<Engine> {
  const display = await startDisplay();
  const port = await freePort();
  const service = spawn(WEBKIT_DRIVER, [`--port=${port}`], {
    env: { ...process.env, DISPLAY: display.name, GDK_BACKEND: 'x11', LIBGL_ALWAYS_SOFTWARE: '1', LANG: 'en_GB.UTF-8' },
    stdio: 'ignore',
  });
  const endProcesses = () => {
    service.kill();
    display.server.kill();
  };
  await eventually(
    () =>
      fetch(`http://127.0.0.1:${port}/status`).then(
        () => true,
        () => false,
      ),
    'the driver of WebKit',
  );
  const driver = new Builder()
    .usingServer(`http://127.0.0.1:${port}`)
    .withCapabilities(new Capabilities({ browserName: 'MiniBrowser' }))
    .build();
  await driver.manage().window().setRect(size);

  /** Acts on the element as soon as that works: a page that is still starting replaces its elements. */
  const act = <T>(xpath: string, what: (element: WebElement) => Promise<T>): Promise<T> =>
    driver
      .wait(
        async () => {
          try {
            return { result: await what(await driver.findElement(By.xpath(xpath))) };
          } catch (cause) {
            if (cause instanceof error.WebDriverError) return null;
            throw cause;
          }
        },
        WAIT_MS,
        `not there, or nothing can be done with it: ${xpath}`,
      )
      .then((done) => (done as { result: T }).result);

  return {
    goto: (url) => driver.get(url),
    click: (xpath) => act(xpath, (element) => element.click()),
    fill: (xpath, text) =>
      act(xpath, async (element) => {
        // `clear` changes the field without an event that React would notice.
        const { length } = (await element.getAttribute('value')) ?? '';
        await element.sendKeys(Key.END, Key.BACK_SPACE.repeat(length), text);
      }),
    shown: (xpath) =>
      act(xpath, async (element) => {
        if (!(await element.isDisplayed())) throw new error.ElementNotInteractableError('not shown');
      }),
    evaluate: (script) => driver.executeScript(script),
    screenshot: async () => Buffer.from(await driver.takeScreenshot(), 'base64'),
    async close() {
      await driver.quit();
      endProcesses();
    },
  };
}
