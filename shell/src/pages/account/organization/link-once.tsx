import { useTranslation } from '@pool/shared/i18n';
import { Button, CopyField, Notice } from '@pool/shared/ui/core';
import { Modal } from '@pool/shared/ui/overlay';
import styles from '../form.module.css';

/** Link of an invitation, shown this once: a click beside the dialog does not close it. */
export function LinkOnce({ link, onClose }: { link: string; onClose(): void }) {
  const { t } = useTranslation();
  return (
    <Modal
      open
      centered
      mask={{ closable: false }}
      title={t('account.org.linkTitle')}
      footer={<Button onClick={onClose}>{t('account.token.done')}</Button>}
      onCancel={onClose}
    >
      <div className={styles.stack}>
        <div role="status">
          <Notice tone="info" state="final">
            {t('account.org.linkOnce')}
          </Notice>
        </div>
        <CopyField label={t('account.org.byLink')} value={link} />
      </div>
    </Modal>
  );
}
