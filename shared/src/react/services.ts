import { createContext, useContext } from 'react';
import type { ApiClient } from '../api/client';
import type { RemoteServices, Session } from '../contract';
import { ALL_ACCOUNTS } from '../domain';

export const ServicesContext = createContext<RemoteServices | null>(null);

/** The shell's singletons. Throws outside a remote and the shell's signed-in pages. */
export function useServices(): RemoteServices {
  const services = useContext(ServicesContext);
  if (!services) throw new Error('useServices() needs a ServicesProvider above it');
  return services;
}

export const useApi = (): ApiClient => useServices().api;

/** @public Whether a part of the remote is on for this user (`flags` of `remote.json`). */
export const useFlag = (flag: string): boolean => useServices().flags?.includes(flag) ?? false;

/** The signed-in user, and the selected sub-account and algorithm. */
export const useSession = (): Session => useServices().session;

/** Whether all sub-accounts are chosen together. */
export const useIsOfAll = (): boolean => useSession().account === ALL_ACCOUNTS;
