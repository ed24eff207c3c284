import { LANGUAGE_NAMES, LANGUAGES, directionOf, type Language } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { CopyButton, Segmented } from '@pool/shared/ui/core';
import { Modal } from '@pool/shared/ui/overlay';
import { useState } from 'react';
import styles from './money.module.css';
import { SHARE_TEXTS } from './share-texts';

/** A text to send with the link, in the language of who reads it. */
export function ShareDialog({ link, onClose }: { link: string; onClose(): void }) {
  const { t, i18n } = useTranslation();
  const [language, setLanguage] = useState<Language>(() => LANGUAGES.find((one) => one === i18n.language) ?? 'en');
  const text = SHARE_TEXTS[language](link);
  return (
    <Modal
      open
      centered
      title={t('referral.share')}
      footer={<CopyButton value={text} label={t('referral.share')} />}
      onCancel={onClose}
    >
      <div className={styles.share}>
        <div className={styles.choice}>
          <Segmented<Language>
            aria-label={t('referral.share.language')}
            value={language}
            onChange={setLanguage}
            options={LANGUAGES.map((value) => ({ value, label: LANGUAGE_NAMES[value] }))}
          />
        </div>
        <p lang={language} dir={directionOf(language)}>
          {text}
        </p>
      </div>
    </Modal>
  );
}
