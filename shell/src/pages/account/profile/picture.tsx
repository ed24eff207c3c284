import { useTranslation } from '@pool/shared/i18n';
import { Button } from '@pool/shared/ui/core';
import { useFormMutation } from '@pool/shared/ui/form';
import { useRef } from 'react';
import { useAuthState, useIdentity } from '../../../auth';
import { Avatar } from '../../../session/avatar';
import styles from '../form.module.css';
import { PICTURE_TYPES, pictureOf, UnfitPicture } from './picture-file';

/** The user's picture, and how to change it. */
export function Picture({ userName }: { userName: string }) {
  const { t } = useTranslation();
  const identity = useIdentity();
  const { picture } = useAuthState();
  const file = useRef<HTMLInputElement>(null);
  const change = useFormMutation({
    send: async (_api, chosen: File | null) => {
      await (await identity()).setPicture(chosen && (await pictureOf(chosen)));
      return chosen;
    },
    said: (chosen) => t(chosen ? 'account.picture.saved' : 'account.picture.removed'),
  });
  const error = change.error instanceof UnfitPicture ? t('account.picture.unfit') : change.text;
  return (
    <div className={styles.row}>
      <Avatar userName={userName} picture={picture} size={64} />
      <div className={styles.actions}>
        <input
          ref={file}
          type="file"
          hidden
          accept={PICTURE_TYPES.join()}
          onChange={({ target }) => {
            const [chosen] = target.files ?? [];
            if (chosen) change.mutate(chosen);
            // The same file may be chosen again.
            target.value = '';
          }}
        />
        <Button size="small" loading={change.isPending} onClick={() => file.current?.click()}>
          {t(picture ? 'account.picture.change' : 'account.picture.add')}
        </Button>
        {picture && (
          <Button size="small" disabled={change.isPending} onClick={() => change.mutate(null)}>
            {t('account.picture.remove')}
          </Button>
        )}
      </div>
      <p role="alert" className={error ? styles.wrong : styles.hint}>
        {error ?? t('account.picture.what')}
      </p>
    </div>
  );
}
