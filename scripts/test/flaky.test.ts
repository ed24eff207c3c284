/** A test that needed a second try is written down; when it needs one again, that is a failure. */
import { addFlaky, sortFlaky } from './flaky';

const LIST = '# Why\ne2e/b.spec.ts › opens\n';

test('a first second try is new, the next one repeated', () => {
  const first = sortFlaky(LIST, ['e2e/a.spec.ts › closes', 'e2e/a.spec.ts › closes']);
  expect(first).toEqual({ added: ['e2e/a.spec.ts › closes'], repeated: [] });
  const list = addFlaky(LIST, first.added);
  expect(list).toBe('# Why\ne2e/a.spec.ts › closes\ne2e/b.spec.ts › opens\n');
  expect(sortFlaky(list, ['e2e/a.spec.ts › closes'])).toEqual({ added: [], repeated: ['e2e/a.spec.ts › closes'] });
});

test('a line that was deleted is new again', () => {
  expect(sortFlaky('# Why\n', ['e2e/b.spec.ts › opens']).added).toEqual(['e2e/b.spec.ts › opens']);
});
