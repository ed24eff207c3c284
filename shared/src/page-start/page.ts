/** Reading what the server left in the page's HTML. */

/** Content of a `<meta>`; null: there is none. */
export const readMeta = (name: string): string | null =>
  document.querySelector<HTMLMetaElement>(`meta[name=${name}]`)?.content ?? null;

/** Text of a `<script type="application/json">`; null: there is none. */
export const readScript = (id: string): string | null => document.getElementById(id)?.textContent ?? null;
