/** The shell's one place for errors: the browser's own report, which developer tools and browser tests read. */
export const report = (error: unknown): void => globalThis.reportError(error);
