/** What a user has typed, carried from a page to the version that takes its place. Loaded when one is withdrawn. */
type TextField = HTMLInputElement | HTMLTextAreaElement;

const OTHER = ['password', 'file', 'hidden', 'checkbox', 'radio'].map((type) => `:not([type=${type}])`).join('');
const textFields = (): TextField[] => [...document.querySelectorAll<TextField>(`input${OTHER}, textarea`)];

/** The same in both versions: ids are not. */
const nameOf = (field: TextField): string =>
  [field.name, field.getAttribute('aria-label') ?? field.labels?.[0]?.textContent, field.placeholder].join('\n');

/** Sets a value as typing does: React learns of it. */
function type(field: TextField, text: string): void {
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field) as object, 'value')?.set?.call(field, text);
  field.dispatchEvent(new Event('input', { bubbles: true }));
}

/** Keeps texts of the fields in `typed`, for fields of the same name, until the user leaves the page. */
export function carryTyped(typed: WeakSet<EventTarget>): void {
  const kept = new Map(
    textFields().flatMap((from) => (typed.has(from) ? [[nameOf(from), { from, text: from.value }]] : [])),
  );
  const { pathname } = location;
  const observer = new MutationObserver(() => {
    if (location.pathname !== pathname) kept.clear();
    for (const field of kept.size > 0 ? textFields() : []) {
      const found = kept.get(nameOf(field));
      if (!found || found.from.isConnected) continue;
      kept.delete(nameOf(field));
      type(field, found.text);
    }
    if (kept.size === 0) observer.disconnect();
  });
  observer.observe(document.body, { childList: true, subtree: true });
}
