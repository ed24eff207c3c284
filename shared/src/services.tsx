import { createContext, useContext, type ReactNode } from 'react';
import type { ApiClient } from './api/client';
import type { RemoteServices, Session } from './contract';

const ServicesContext = createContext<RemoteServices | null>(null);

export function ServicesProvider({ services, children }: { services: RemoteServices; children: ReactNode }) {
  return <ServicesContext value={services}>{children}</ServicesContext>;
}

/** The singletons a page works with. Throws outside a remote or the shell's signed-in pages. */
export function useServices(): RemoteServices {
  const services = useContext(ServicesContext);
  if (!services) throw new Error('useServices() needs a ServicesProvider above it');
  return services;
}

export const useApi = (): ApiClient => useServices().api;

/** Who is signed in, and the sub-account and algorithm the pages look at. */
export const useSession = (): Session => useServices().session;
