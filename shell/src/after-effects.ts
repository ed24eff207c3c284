/**
 * Calls `changed` when the running effects have ended. For a store of the shell that effects of a remote change: each
 * remote is a React root of its own, and React 19 fails (error 177) when the shell is rendered in the middle of them.
 */
export const afterEffects = (changed: () => void): void => queueMicrotask(changed);
