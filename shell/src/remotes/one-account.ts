import { ALL_ACCOUNTS, type RemoteManifest, type RemoteServices } from '@pool/shared';

/** Whether a remote's pages and parts are about the account that the user has chosen. */
export const isOfAccount = ({ pickers }: RemoteManifest): boolean => pickers?.includes('account') ?? true;

/** Whether they are about one sub-account, and the user has chosen all together. */
export const lacksAccount = (
  manifest: RemoteManifest,
  { account }: Pick<RemoteServices['session'], 'account'>,
): boolean => account === ALL_ACCOUNTS && !manifest.allAccounts && isOfAccount(manifest);
