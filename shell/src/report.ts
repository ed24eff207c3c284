/** Reports errors of the shell to the browser, where developer tools and browser tests read them. */
export const report = (error: unknown): void => globalThis.reportError(error);
