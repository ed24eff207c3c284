/** Calls after the running effects: React 19 fails (177) when the shell renders amid a remote's effects. */
export const afterEffects = (changed: () => void): void => queueMicrotask(changed);
