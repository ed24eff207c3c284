import { useSession } from '@pool/shared/remote';
import { PayoutPanels } from '@pool/shared/ui/payout';

/** Where the account is paid to, its threshold and its pause. */
export default function SettingsTab() {
  const { account } = useSession();
  return <PayoutPanels account={account} />;
}
