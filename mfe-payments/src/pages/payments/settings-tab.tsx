import { useSession } from '@pool/shared/remote';
import { PayoutPanels } from '@pool/shared/ui/payout';

export default function SettingsTab() {
  const { account } = useSession();
  return <PayoutPanels account={account} />;
}
