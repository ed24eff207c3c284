/** Ids of the commands that the user ran last, newest first; they name pages and settings only. */
import { userStorage } from '../auth/user-storage';

const NAME = 'recentCommands';
const MOST = 5;

export function recentCommands(): string[] {
  try {
    const stored: unknown = JSON.parse(userStorage.read(NAME) ?? '[]');
    return Array.isArray(stored) ? stored.filter((id) => typeof id === 'string').slice(0, MOST) : [];
  } catch {
    return [];
  }
}

export function rememberCommand(id: string): void {
  const others = recentCommands().filter((other) => other !== id);
  userStorage.write(NAME, JSON.stringify([id, ...others].slice(0, MOST)));
}
