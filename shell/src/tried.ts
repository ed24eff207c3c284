/** The result of what may throw, such as a storage that is forbidden or full or a text that is no JSON; null: it threw. */
export function tried<T>(attempt: () => T): T | null {
  try {
    return attempt();
  } catch {
    return null;
  }
}
