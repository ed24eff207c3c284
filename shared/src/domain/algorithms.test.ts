import { ALGORITHM_NAMES, ALGORITHMS } from '.';

test('no two algorithms have the same label, setting or port', () => {
  for (const field of ['label', 'setting', 'fallbackPort'] as const) {
    const values = ALGORITHM_NAMES.map((name) => ALGORITHMS[name][field]);
    expect(new Set(values).size).toBe(values.length);
  }
});
