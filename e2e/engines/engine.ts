/**
 * What journeys do in an engine that Playwright cannot drive from Debian's packages. Elements are named by XPath, the
 * one language that both drivers have. Every method waits until the element is there, up to `WAIT_MS`, and throws
 * naming it.
 */
export type Engine = {
  goto(url: string): Promise<void>;
  click(xpath: string): Promise<void>;
  /** Replaces the text of a field. */
  fill(xpath: string, text: string): Promise<void>;
  /** Waits until something matches and is shown. */
  shown(xpath: string): Promise<void>;
  /** The value of a script's `return`, run in the page. */
  evaluate<T>(script: string): Promise<T>;
  /** A picture of the window, PNG. */
  screenshot(): Promise<Buffer>;
  /** Errors of the page so far; undefined where the driver does not tell. */
  errors?: string[];
  close(): Promise<void>;
};

export const WAIT_MS = 60_000;

export type Size = { width: number; height: number };

/** XPath of a button, link, tab or field label that a person reads as `name`. */
export const named = (element: string, name: string) => `//${element}[normalize-space()='${name}']`;
