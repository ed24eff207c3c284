import './translated';
import { render } from '@testing-library/react';

/** Translates as Chromium's translator does: the text is in two new elements, itself or as a copy. */
function translate(root: Element, replaces: boolean): void {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const texts: Text[] = [];
  while (walker.nextNode()) texts.push(walker.currentNode as Text);
  for (const text of texts) {
    const outer = document.createElement('font');
    const inner = outer.appendChild(document.createElement('font'));
    text.replaceWith(outer);
    inner.append(replaces ? text.data : text);
  }
}
function Page({ gap, name }: { gap: boolean; name: string }) {
  return (
    <p>
      {gap && 'No data. '}
      {gap ? <b>{name}</b> : null}
      {name}
      {gap && ' again'}
    </p>
  );
}

it.each([
  ['wrapped', false],
  ['replaced', true],
])('a page whose texts are %s by a translator goes on: texts come and go', (_, replaces) => {
  const { container, rerender } = render(<Page gap={false} name="rig" />);
  translate(container, replaces);
  rerender(<Page gap name="rig" />);
  expect(container.textContent).toContain('No data.');
  translate(container, replaces);
  rerender(<Page gap={false} name="rig" />);
  expect(container.querySelector('b')).toBeNull();
  if (!replaces) expect(container).toHaveTextContent(/^rig$/);
});
