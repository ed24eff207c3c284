import '@testing-library/jest-dom';
import { configure } from '@testing-library/react';
import { TextDecoder, TextEncoder } from 'node:util';
import * as React from 'react';

// Tests that wait for something say for how long; this ends one that hangs. A busy machine is ten times as slow.
jest.setTimeout(240_000);

// jsdom leaves them out; react-router needs them to be imported.
Object.assign(globalThis, { TextDecoder, TextEncoder });

// jsdom has neither; antd asks for both.
window.matchMedia ??= (query: string) => ({
  matches: false,
  media: query,
  onchange: null,
  addEventListener() {},
  removeEventListener() {},
  addListener() {},
  removeListener() {},
  dispatchEvent: () => false,
});
window.ResizeObserver ??= class {
  observe() {}
  unobserve() {}
  disconnect() {}
};
// antd's forms batch their updates through one.
globalThis.MessageChannel ??= class {
  readonly port1: { onmessage: (() => void) | null } = { onmessage: null };
  readonly port2 = { postMessage: () => void setTimeout(() => this.port1.onmessage?.()) };
} as unknown as typeof MessageChannel;
// React keeps the call stack of each element it makes, up to so many a second, for messages that no test reads.
const internals = Object.entries(React).find(([name]) => name.startsWith('__CLIENT_INTERNALS'))?.[1] as object;
Object.defineProperty(internals, 'recentlyCreatedOwnerStacks', { get: () => Infinity, set() {} });
// jsdom lays nothing out, so it has nothing to scroll.
window.scrollTo = () => undefined;
Element.prototype.scrollIntoView ??= () => undefined;
// No style sheets are here, so that the style of an element is its own, and computing it from its parents' takes long.
const { getComputedStyle } = window;
window.getComputedStyle = (element) => {
  const { style } = element as HTMLElement;
  return element.closest('[hidden]') ? getComputedStyle(element) : style;
};
// antd writes its styles at run time. jsdom would match each rule with each element whose name or visibility is asked,
// which is a quarter of the tests' time; journeys see the styles.
Object.defineProperty(HTMLStyleElement.prototype, 'innerHTML', { set() {}, get: () => '' });
// A browser's translator wraps or replaces text nodes, and React ends the page when one that it removes, or puts something
// before, is not where it was (react/react#17256): what comes and goes, or stands after that, has an element.
const { insertBefore, removeChild } = Node.prototype;
const refuseText = (node: Node | null): void => {
  if (node instanceof Text && node.isConnected && !node.parentElement?.closest('[translate=no]'))
    throw new Error(`A translator breaks "${node.data}" in ${node.parentElement?.outerHTML}: give it an element`);
};
Node.prototype.removeChild = function removeElement<T extends Node>(this: Node, node: T): T {
  refuseText(node);
  return removeChild.call(this, node) as T;
};
Node.prototype.insertBefore = function insertBeforeElement<T extends Node>(
  this: Node,
  node: T,
  before: Node | null,
): T {
  refuseText(before);
  return insertBefore.call(this, node, before) as T;
};
// Lazily loaded parts are compiled when a test first asks for them; a busy machine takes its time over that. Whether
// something hidden has a role takes long to find out: tests that ask say `hidden: false`.
configure({ asyncUtilTimeout: 20_000, defaultHidden: true });
// `npm test` sets it, and says which tests needed it.
if (process.env.SECOND_TRY) jest.retryTimes(1, { logErrorsBeforeRetry: true });
