import { LANGUAGE_NAMES, LANGUAGES, directionOf, type Language } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { CopyButton, Segmented } from '@pool/shared/ui/core';
import { Modal } from '@pool/shared/ui/overlay';
import { useState } from 'react';
import styles from './money.module.css';

const SHARE_TEXTS: Record<Language, (link: string) => string> = {
  en: (link) => `I mine here and see every share, price and fee. Join with my link: it costs you nothing. ${link}`,
  ru: (link) =>
    `Я майню здесь и вижу каждую шару, цену и комиссию. Присоединяйтесь по моей ссылке, это бесплатно. ${link}`,
  fr: (link) =>
    `Je mine ici et je vois chaque part, chaque prix et les frais. Rejoignez-moi avec mon lien, cela ne vous coûte rien. ${link}`,
  ar: (link) => `أعدّن هنا وأرى كل حصة وسعر ورسم. انضم عبر رابطي، ولن يكلفك ذلك شيئًا. ${link}`,
};

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
