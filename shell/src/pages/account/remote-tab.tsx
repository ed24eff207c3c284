import { useServices } from '@pool/shared/remote';
import type { AccountPart } from '@pool/shared/shell-pages';
import { ChooseAccount } from '@pool/shared/ui/core';
import { lacksAccount } from '../../remotes/one-account';
import { SlotPart } from '../../remotes/slots';

/** The tab of a part that a remote brings. */
export default function RemoteTab({ manifest, offer }: AccountPart) {
  const { session } = useServices();
  return lacksAccount(manifest, session) ? (
    <ChooseAccount />
  ) : (
    <SlotPart manifest={manifest} offer={offer} facts={{}} />
  );
}
