type Entry = { id: number };

/** The list in the order the user gave it until the server has answered: what went is left out, what came is last. */
export function arranged<T extends Entry>(list: readonly T[], order: readonly number[] | null): readonly T[] {
  if (!order) return list;
  const known = order.flatMap((id) => list.find((entry) => entry.id === id) ?? []);
  return [...known, ...list.filter(({ id }) => !order.includes(id))];
}

/** The ids with the one at `from` at `to`. */
export function moved(ids: readonly number[], from: number, to: number): number[] {
  const next = [...ids];
  const [id] = next.splice(from, 1);
  if (id !== undefined) next.splice(to, 0, id);
  return next;
}
