/** Shows build and type errors over the page until they are fixed or hidden. */
const known = new Map<string, string[]>();

const STYLE = `position: fixed; inset: auto 0 0; z-index: 2147483647; max-height: 50vh; overflow: auto; margin: 0;
  padding: 12px 16px; direction: ltr; text-align: left; white-space: pre-wrap; font: 12px/1.5 ui-monospace, monospace;
  color: #fff; background: #3a1113; border-top: 2px solid #ed4540`;

let shown: HTMLElement | undefined;

/** More of them are in the terminal. */
const SHOWN = 20;

export function showProblems(source: string, problems: string[]): void {
  const more = problems.length - SHOWN;
  known.set(source, [...problems.slice(0, SHOWN), ...(more > 0 ? [`… and ${more} more`] : [])]);
  shown?.remove();
  shown = undefined;
  const texts = [...known].flatMap(([name, each]) => (each.length > 0 ? [`${name}\n\n${each.join('\n')}`] : []));
  if (texts.length === 0) return;
  shown = document.createElement('pre');
  shown.id = 'pool-dev-problems';
  shown.setAttribute('role', 'alert');
  shown.style.cssText = STYLE;
  shown.textContent = texts.join('\n\n');
  shown.title = 'Click to hide';
  shown.addEventListener('click', () => shown?.remove());
  document.documentElement.append(shown);
}
