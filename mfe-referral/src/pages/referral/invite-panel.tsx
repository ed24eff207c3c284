import { useTranslation } from '@pool/shared/i18n';
import { useMutation, useQueryClient } from '@pool/shared/query';
import { lazyPart, useAbility, useApi } from '@pool/shared/remote';
import {
  Button,
  canShare,
  CopyField,
  ErrorPanel,
  Panel,
  QrCode,
  QueryState,
  ShareButton,
  Skeleton,
  usePhone,
} from '@pool/shared/ui/core';
import common from '@pool/shared/ui/common.module.css';
import { useState } from 'react';
import { useCode } from '../../api/lists';
import styles from './invite-panel.module.css';

const QR_SIZE = 176;
const ShareDialog = lazyPart('referral-money', async () => (await import('./money/share-dialog')).ShareDialog, null);

export function InvitePanel() {
  const { t } = useTranslation();
  const code = useCode();
  const { data } = code;
  const phone = usePhone();
  return (
    <Panel title={t('referral.invite')}>
      <QueryState query={code} className={styles.invite}>
        <div className={styles.fields}>
          {/* A phone writes the link in two lines, under its name. */}
          <Skeleton height={phone ? 74 : 44} />
          <Skeleton height={phone ? 54 : 44} />
          <Skeleton width={160} height={36} />
        </div>
        {/* The QR code, or the button of a phone, which not every browser has. */}
        {phone ? (
          canShare() && <Skeleton height={44} />
        ) : (
          <Skeleton width={QR_SIZE + 24} height={QR_SIZE + 24} radius={8} />
        )}
      </QueryState>
      {data && (data.code !== null && data.link !== null ? <Invite code={data.code} link={data.link} /> : <MakeCode />)}
    </Panel>
  );
}

function Invite({ code, link }: { code: string; link: string }) {
  const { t } = useTranslation();
  const phone = usePhone();
  const [sharing, setSharing] = useState(false);
  return (
    <div className={styles.invite}>
      <div className={styles.fields}>
        <CopyField size="large" showLabel label={t('referral.link')} value={link} />
        <CopyField size="large" showLabel label={t('referral.code')} value={code} />
        <Button className={styles.share} onClick={() => setSharing(true)}>
          {t('referral.share')}
        </Button>
        {sharing && <ShareDialog link={link} onClose={() => setSharing(false)} />}
      </div>
      {phone ? <ShareButton url={link} /> : <QrCode value={link} label={t('referral.qr')} size={QR_SIZE} />}
    </div>
  );
}

function MakeCode() {
  const { t } = useTranslation();
  const mayEdit = useAbility().can('manage', 'referral');
  const api = useApi();
  const client = useQueryClient();
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => api('POST /referral/code', { body: {} }),
    onSuccess: (code) => client.setQueryData(['referral', 'code'], code),
  });
  return (
    <div className={styles.make}>
      <p className={common.quiet}>{t('referral.make-hint')}</p>
      <Button type="primary" disabled={!mayEdit} onClick={() => mutate()} loading={isPending}>
        {t('referral.make')}
      </Button>
      {error && <ErrorPanel error={error} />}
    </div>
  );
}
