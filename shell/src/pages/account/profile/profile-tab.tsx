import { useTranslation } from '@pool/shared/i18n';
import { useQuery } from '@pool/shared/query';
import { useApi, userInfoQuery, useSession } from '@pool/shared/remote';
import { Chip, Facts, Panel, QueryState, SkeletonRows, useFormat, Button } from '@pool/shared/ui/core';
import { IfMayEdit, useFormMutation } from '@pool/shared/ui/form';
import { useRef } from 'react';
import { useAuthContext } from '../../../auth/auth-provider';
import common from '@pool/shared/ui/common.module.css';
import styles from '../form.module.css';
import { DeleteAccount } from './delete-account';
import { EmailState } from './email-state';
import { useAuthState, useIdentity } from '../../../auth';
import { useActIn } from '../../../auth/use-act-in';
import { personOf, placeOf, PlaceName } from '../../../session/place';
import { accountPath } from '@pool/shared/shell-pages';
import { Avatar } from '../../../session/avatar';

/** What the specification takes: JPG, PNG, GIF or WEBP under 10 MB. */
const PICTURE_TYPES = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'];
const FILE_MAX = 10_000_000;
/** Width and height of the stored picture: twice those of the largest place for it. */
const SIDE_PX = 256;

/** The file is no picture that can be used. */
class UnfitPicture extends Error {}

/** The middle square of a picture, made in the browser: where a photo was taken never leaves it. */
async function pictureOf(file: File): Promise<Blob> {
  if (!PICTURE_TYPES.includes(file.type) || file.size >= FILE_MAX) throw new UnfitPicture();
  const image = await createImageBitmap(file).catch(() => {
    throw new UnfitPicture();
  });
  const side = Math.min(image.width, image.height);
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = Math.min(side, SIDE_PX);
  const context = canvas.getContext('2d');
  if (context) context.imageSmoothingQuality = 'high';
  const [left, top] = [(image.width - side) / 2, (image.height - side) / 2];
  context?.drawImage(image, left, top, side, side, 0, 0, canvas.width, canvas.height);
  image.close();
  // A browser that cannot write WEBP writes PNG.
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/webp', 0.9));
  if (!blob) throw new UnfitPicture();
  return blob;
}

function Picture({ userName }: { userName: string }) {
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
      <div className={common.buttons}>
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
      <p role="alert" className={error ? styles.wrong : common.hint}>
        {error ?? t('account.picture.what')}
      </p>
    </div>
  );
}

/** In an organization: where the person's own account is. */
function OwnAccount() {
  const { t } = useTranslation();
  const actIn = useActIn();
  return (
    <Panel stacked title={t('account.alone')}>
      <p className={common.hint}>{t('account.aloneWhat')}</p>
      <div className={common.buttons}>
        <Button onClick={() => actIn(null, accountPath('profile'))}>{t('account.aloneGo')}</Button>
      </div>
    </Panel>
  );
}

export default function ProfileTab() {
  const info = useQuery(userInfoQuery(useApi(), useSession().userId));
  const place = info.data ? placeOf(info.data) : null;
  return (
    <>
      <Profile />
      <IfMayEdit of="person">{info.data && (place ? <OwnAccount /> : <DeleteAccount />)}</IfMayEdit>
    </>
  );
}

function Profile() {
  const { t } = useTranslation();
  const { day } = useFormat();
  const { sendsMail } = useAuthContext().config;
  const info = useQuery(userInfoQuery(useApi(), useSession().userId));
  const user = info.data && personOf(info.data);
  const place = info.data ? placeOf(info.data) : null;
  return (
    <Panel title={t('account.profile')}>
      <QueryState query={info}>
        <SkeletonRows rows={4} height={26} />
      </QueryState>
      {user && (
        <div className={styles.form}>
          <IfMayEdit of="organization">
            <Picture userName={user.userName} />
          </IfMayEdit>
          <Facts
            rows={[
              {
                label: t('account.userName'),
                value: (
                  <>
                    <bdi>{user.userName}</bdi> {user.isLegacyUser && <Chip>{t('account.legacy')}</Chip>}
                  </>
                ),
              },
              {
                label: t('account.email'),
                value: !user.email ? (
                  t('account.none')
                ) : sendsMail ? (
                  <EmailState known={user.email} />
                ) : (
                  <bdi>{user.email}</bdi>
                ),
              },
              place
                ? { label: t('account.tab.organization'), value: <PlaceName place={place} /> }
                : { label: t('account.role'), value: t(`account.role.${user.role}`) },
              {
                label: t('account.since'),
                value: <time dateTime={user.createdAt}>{day(user.createdAt, true)}</time>,
              },
            ]}
          />
        </div>
      )}
    </Panel>
  );
}
