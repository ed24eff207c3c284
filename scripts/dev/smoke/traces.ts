/** What the code of a remote changes in the page, or leaves there, that is not its own. */
import type { Page } from '@playwright/test';

export type Seen = { name: string; owner: object; values: Map<PropertyKey, PropertyDescriptor | undefined> }[];

/** Runs in the page: globals, and what belongs to all code in it. */
export function look(): Seen {
  const shared = [Object, Array, String, Number, Function, Promise, Map, Set, Date, RegExp, Node, Element, EventTarget];
  return [window, ...shared.map((of) => of.prototype as object)].map((owner) => ({
    name: owner === window ? 'window' : `${owner.constructor.name}.prototype`,
    owner,
    values: new Map(Reflect.ownKeys(owner).map((key) => [key, Object.getOwnPropertyDescriptor(owner, key)])),
  }));
}

/** Runs in the page: what was added or replaced since. */
export function changedSince(before: Seen): string[] {
  return before.flatMap(({ name, owner, values }) =>
    Reflect.ownKeys(owner)
      .filter((key) => {
        const was = values.get(key);
        const is = Object.getOwnPropertyDescriptor(owner, key);
        // Names that builders and federation use, and symbols that all pages share, as React's and recharts' are.
        if (!was)
          return !(
            owner === window &&
            (/^(((web|rs)packChunk)?pool_|__mf_|__VUE_HMR_RUNTIME__$)/.test(String(key)) ||
              (typeof key === 'symbol' && Symbol.keyFor(key) !== undefined))
          );
        return owner === window ? typeof was.value === 'function' && was.value !== is?.value : was.value !== is?.value;
      })
      .map((key) => `${name}.${String(key)}`),
  );
}

/** Keeps intervals, and keys that the remote's own code has stored. Runs before any other script. */
export const KEEPING = `
globalThis.__name = (work) => work;
globalThis.poolIntervals = new Set();
globalThis.poolKeys = new Set();
{
  const { setItem } = Storage.prototype;
  Storage.prototype.setItem = function (key, value) {
    // What the shell stores for a remote is the shell's.
    if (new Error().stack.split('\\n')[2]?.includes('/remotes/')) poolKeys.add(key);
    return setItem.call(this, key, value);
  };
  const { setInterval: set, clearInterval: clear } = globalThis;
  globalThis.setInterval = (...args) => {
    const id = set(...args);
    poolIntervals.add(id);
    return id;
  };
  globalThis.clearInterval = (id) => {
    clear(id);
    poolIntervals.delete(id);
  };
}`;

/** What a page that is left may not leave behind, by kind. */
export async function leftIn(page: Page): Promise<Record<string, number>> {
  const devtools = await page.context().newCDPSession(page);
  const listenersOf = async (expression: string): Promise<number> => {
    const { result } = await devtools.send('Runtime.evaluate', { expression });
    const { listeners } = await devtools.send('DOMDebugger.getEventListeners', { objectId: result.objectId ?? '' });
    return listeners.filter(({ once }) => !once).length;
  };
  return {
    intervals: await page.evaluate(() => globalThis.poolIntervals.size),
    listeners: (await listenersOf('window')) + (await listenersOf('document')),
    'elements of the body': await page.locator('body > *').count(),
  };
}

/** Runs in the page: what of the pool's own can be clicked, but lies below the remote. */
export const coveredBy = (page: Page, name: string): Promise<string[]> =>
  page.evaluate((remote) => {
    const controls = [...document.querySelectorAll<HTMLElement>('a, button')].filter(
      (each) => !each.closest('[data-remote]'),
    );
    return controls.flatMap((each) => {
      const { x, y, width, height } = each.getBoundingClientRect();
      const top = width > 0 ? document.elementFromPoint(x + width / 2, y + height / 2) : null;
      return top?.closest(`[data-remote="${remote}"]`) ? [each.ariaLabel ?? each.innerText] : [];
    });
  }, name);

/** Runs in a page: elements of the shell that look otherwise because of the remote's styles, and in what. */
export const restyledBy = (page: Page, name: string): Promise<string[]> =>
  page.evaluate((remote) => {
    const adopted = [...document.adoptedStyleSheets];
    const still = new CSSStyleSheet();
    still.replaceSync('*, ::before, ::after { transition: none !important; animation: none !important; }');
    document.adoptedStyleSheets.push(still);
    const isOwn = ({ href, ownerNode }: CSSStyleSheet): boolean =>
      href
        ? href.includes(`/remotes/${remote}/`)
        : ownerNode instanceof HTMLStyleElement && !globalThis.poolStyles.has(ownerNode) && !ownerNode.dataset.cssHash;
    // The shell adopts none.
    const own = [...[...document.styleSheets].filter(isOwn), ...adopted];
    const shell = [...document.querySelectorAll('body, #root *:not(script, style)')];
    const elements = shell.filter((each) => !each.closest('[data-remote]'));
    const properties = (
      'color background-color font letter-spacing text-align list-style display ' +
      'position box-sizing margin padding border opacity visibility z-index'
    ).split(' ');
    const look = () =>
      elements.map((each) => properties.map((property) => getComputedStyle(each).getPropertyValue(property)));
    const styled = look();
    own.forEach((sheet) => (sheet.disabled = true));
    const plain = look();
    own.forEach((sheet) => (sheet.disabled = false));
    document.adoptedStyleSheets.pop();
    return elements.flatMap((each, at) => {
      const found = properties.filter((_, index) => styled[at]?.[index] !== plain[at]?.[index]);
      return found.length > 0 ? [`${each.localName} (${found.join(', ')})`] : [];
    });
  }, name);

declare global {
  var poolIntervals: Set<number>;
  /** Keys that the remote's own code has stored. */
  var poolKeys: Set<string>;
  /** Styles in the page before the remote's were. */
  var poolStyles: Set<HTMLStyleElement>;
}
