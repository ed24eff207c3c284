/** What is copied is read in other programs: a line for each row of a table, no marks of direction, and a minus that is one. */

const plain = (text: string): string => text.replace(/[\u2066-\u2069]/g, '').replace(/−(?=\d)/g, '-');
const lineOf = (row: HTMLTableRowElement): string =>
  [...row.cells].map((cell) => plain(cell.innerText).replace(/\s+/g, ' ').trim()).join('\t');

document.addEventListener('copy', (event) => {
  const selection = getSelection();
  // The selection in a field is not part of the page's.
  if (!selection?.rangeCount || event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement)
    return;
  const range = selection.getRangeAt(0);
  const within = range.commonAncestorContainer;
  const table = (within instanceof Element ? within : within.parentElement)?.closest('table');
  const rows = [...(table?.rows ?? [])].filter((row) => range.intersectsNode(row));
  const text = rows.length > 1 ? rows.map(lineOf).join('\n') : plain(String(selection));
  if (text === String(selection)) return;
  event.clipboardData?.setData('text/plain', text);
  event.preventDefault();
});
