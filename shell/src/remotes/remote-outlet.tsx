import type { RemoteManifest, RemoteServices } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { Banner } from '../layout/banner';
import { FailurePanel } from './failure-panel';
import { OutletSkeleton } from './outlet-skeleton';
import { useRemote } from './use-remote';

/** The pages of a remote. When they fail there is a panel with Retry, without a reload. */
export function RemoteOutlet(props: { manifest: RemoteManifest; services: RemoteServices }) {
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
