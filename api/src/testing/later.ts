/** Test helper: stands for what a hook makes, from the first test on. */
export const later = <T extends object>(made: () => T | undefined): T =>
  new Proxy({} as T, {
    get: (_, name) => {
      const it = made();
      if (!it) throw new Error('it is there from the first test on');
      return Reflect.get(it, name) as unknown;
    },
  });
