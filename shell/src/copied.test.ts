import './copied';

// jsdom lays nothing out.
Object.defineProperty(HTMLElement.prototype, 'innerText', {
  get(this: HTMLElement) {
    return this.textContent;
  },
});

/** What a program gets where this is pasted; null: what the browser makes of it. */
function copied(from: Node, to = from): string | null {
  const range = document.createRange();
  range.setStartBefore(from);
  range.setEndAfter(to);
  getSelection()!.removeAllRanges();
  getSelection()!.addRange(range);
  let text: string | null = null;
  const clipboardData = { setData: (_: string, set: string) => (text = set) };
  (from.parentElement ?? document.body).dispatchEvent(
    Object.assign(new Event('copy', { bubbles: true }), { clipboardData }),
  );
  return text;
}

test('a copied table has one line for each row; numbers come without marks of direction', () => {
  document.body.innerHTML = `
    <h1>\u0646\u0633\u0628\u0629 \u20663.1 %\u2069</h1><p>Plain</p>
    <table><thead><tr><th>Worker</th><th>Hashrate</th></tr></thead><tbody>
      <tr><th><b>rig-1</b></th><td><span>104\u00a0</span><span>TH/s</span></td></tr>
      <tr><th>rig-2</th><td>\u20663.1 %\u2069</td></tr></tbody></table>`;
  const [head, first, second] = document.querySelectorAll('tr');
  expect(copied(head!, second)).toBe('Worker\tHashrate\nrig-1\t104 TH/s\nrig-2\t3.1 %');
  expect(copied(first!, second)).toBe('rig-1\t104 TH/s\nrig-2\t3.1 %');
  expect(copied(document.querySelector('h1')!)).toBe('\u0646\u0633\u0628\u0629 3.1 %');
  expect(copied(document.querySelector('p')!)).toBeNull();
});
