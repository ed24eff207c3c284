import styles from './preview.module.css';

/** Settings whose values are drawn as a small page. */
const DRAWN = ['mode', 'skin', 'lastLayout', 'contentWidth', 'appBar', 'footer', 'toastPosition'] as const;

export const isDrawn = (name: string): boolean => (DRAWN as readonly string[]).includes(name);

/** A small page with one setting at a value; what it shows is in `preview.module.css`. */
export function Preview({ name, value }: { name: string; value: string }) {
  return (
    <span className={styles.page} data-setting={`${name} ${value}`} aria-hidden>
      <i className={styles.bar} />
      <i className={styles.nav} />
      <i className={styles.body} />
      <i className={styles.foot} />
      <i className={styles.toast} />
    </span>
  );
}
