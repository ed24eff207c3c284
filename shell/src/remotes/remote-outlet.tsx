import type { RemoteManifest, RemoteServices } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { ChooseAccount } from '@pool/shared/ui/core';
import { Banner } from '../layout/banner';
import { FailurePanel } from './failure-panel';
import { lacksAccount } from './one-account';
import { OutletSkeleton } from './outlet-skeleton';
import { useRemote } from './use-remote';

type Props = { manifest: RemoteManifest; services: RemoteServices };

/** The pages of a remote; in place of one account's, while all are chosen, the question which. */
export const RemoteOutlet = (props: Props) =>
  lacksAccount(props.manifest, props.services.session) ? <ChooseAccount /> : <Pages {...props} />;

/** The mounted pages. A panel with Retry takes the place of those that fail, without a reload. */
function Pages(props: Props) {
  const { t } = useTranslation();
  const { manifest, phase, line, failure, isWithdrawn, wasTried, replace, host } = useRemote(props);
  const failed = phase === 'failed';
  return (
    <>
      {phase === 'loading' && !failure && <OutletSkeleton shape={manifest.shape ?? 'charts'} line={line} />}
      {failure && <FailurePanel failure={failure} wasTried={wasTried} onRetry={replace} />}
      {isWithdrawn && !failed && <Banner>{t('remote.withdrawn')}</Banner>}
      <div ref={host} data-remote={manifest.name} data-phase={phase} hidden={failed} />
    </>
  );
}
