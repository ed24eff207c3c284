import { useEffect, useRef, type ReactNode } from 'react';
import { useTranslation } from '@pool/shared/i18n';
import type { NavEntry } from '@pool/shared';
import { Button } from '@pool/shared/ui/core';
import common from '@pool/shared/ui/common.module.css';
import styles from './commands.module.css';
import type { DialogProps } from './idle-features';
import { Palette } from './palette';
import { useSettingsStore } from '../settings/settings-context';
import { SINGLE_KEYS } from './keys';

/** The shortcuts, and the switch that turns single keys off. */
function Help({ links, onDone }: { links: readonly NavEntry[]; onDone(): void }) {
  const { t } = useTranslation();
  const { chosen, change } = useSettingsStore();
  const pages = links.slice(0, 9).map(({ label: key }, index): [string, ReactNode] => [String(index + 1), t(key)]);
  return (
    <div className={styles.help}>
      <h2 className={common.heading}>{t('commands.help')}</h2>
      <Keys rows={[['Ctrl K', t('commands.open')]]} />
      <label className={styles.switch}>
        {t('commands.single')}
        <input
          type="checkbox"
          role="switch"
          checked={chosen.singleKeys}
          onChange={(event) => change({ singleKeys: event.target.checked })}
        />
      </label>
      <Keys
        off={!chosen.singleKeys}
        rows={[
          [SINGLE_KEYS.palette, t('commands.open')],
          [SINGLE_KEYS.help, t('commands.help')],
          [SINGLE_KEYS.mode, t('commands.mode')],
          ...pages,
        ]}
      />
      <Button autoFocus onClick={onDone}>
        {t('commands.close')}
      </Button>
    </div>
  );
}

function Keys({ rows, off = false }: { rows: readonly (readonly [string, ReactNode])[]; off?: boolean }) {
  return (
    <dl className={styles.keys} data-off={off}>
      {rows.map(([key, what]) => (
        <div key={key}>
          <dt>
            <kbd dir="ltr">{key}</kbd>
          </dt>
          <dd>{what}</dd>
        </div>
      ))}
    </dl>
  );
}

/** The browser's own dialog: it traps the focus, closes on Escape and gives the focus back. */
export default function Dialog(props: DialogProps) {
  const { t } = useTranslation();
  const { shown, onShow } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (!dialog.current?.open) dialog.current?.showModal();
  }, []);
  return (
    <dialog
      ref={dialog}
      className={styles.dialog}
      aria-label={t(`commands.${shown}`)}
      onClose={() => onShow(null)}
      onClick={(event) => event.target === dialog.current && dialog.current.close()}
    >
      {shown === 'palette' ? (
        <Palette {...props} onDone={() => dialog.current?.close()} />
      ) : (
        <Help links={props.links} onDone={() => dialog.current?.close()} />
      )}
    </dialog>
  );
}
