/** Ids of the commands that were used last, newest first. Kept in this browser; they name pages and settings only. */
const KEY = 'recentCommands';
const MOST = 5;

export function recentCommands(): string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(stored) ? stored.filter((id) => typeof id === 'string').slice(0, MOST) : [];
  } catch {
    return [];
  }
}

export function rememberCommand(id: string): void {
  try {
    const others = recentCommands().filter((other) => other !== id);
    localStorage.setItem(KEY, JSON.stringify([id, ...others].slice(0, MOST)));
  } catch {
    // No storage: nothing is remembered.
  }
}
