import { useTranslation } from '@pool/shared/i18n';
import { Drawer } from '@pool/shared/ui/overlay';
import { useState } from 'react';
import { SettingsForm } from './settings-form';

/** The settings beside the page that they change: the page stays in sight. */
export default function SettingsDrawer({ onClose }: { onClose(): void }) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(true);
  return (
    <Drawer
      open={open}
      title={t('settings.customize')}
      size={400}
      mask={false}
      onClose={() => setOpen(false)}
      afterOpenChange={(isOpen) => {
        if (!isOpen) onClose();
      }}
    >
      <SettingsForm />
    </Drawer>
  );
}
