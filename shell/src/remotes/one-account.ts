import { ALL_ACCOUNTS, type RemoteManifest, type RemoteServices } from '@pool/shared';

/** Whether a remote's pages and parts are of one sub-account, which the user has not chosen. */
export const lacksAccount = (
  { pickers, allAccounts }: RemoteManifest,
  { account }: Pick<RemoteServices['session'], 'account'>,
): boolean => account === ALL_ACCOUNTS && !allAccounts && (pickers?.includes('account') ?? true);
