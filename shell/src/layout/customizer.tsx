import { useTranslation } from '@pool/shared/i18n';
import { lazy, Suspense, useState } from 'react';

/** The drawer with all settings; its code and texts are loaded when it is opened. */
export function Customizer({ onClose }: { onClose(): void }) {
  const { i18n } = useTranslation();
  const [Drawer] = useState(() =>
    lazy(
      async () =>
        (
          await Promise.all([
            import(/* webpackChunkName: "settings" */ '../pages/settings/settings-drawer'),
            i18n.loadNamespaces('settings'),
          ])
        )[0],
    ),
  );
  return (
    <Suspense>
      <Drawer onClose={onClose} />
    </Suspense>
  );
}
