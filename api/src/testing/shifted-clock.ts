/** Test helper: Node's options for a process whose clock is off by `ms`. */
export const shiftedClock = (ms: number): string[] => [
  '--import',
  `data:text/javascript,${encodeURIComponent(`
    const D = Date;
    globalThis.Date = class extends D {
      constructor(...given) { if (given.length) super(...given); else super(D.now() + ${ms}); }
      static now() { return D.now() + ${ms}; }
    };`)}`,
];
