import { AbilityProvider } from '@casl/react';
import { QueryClientProvider } from '@tanstack/react-query';
import type { ComponentType, ReactNode } from 'react';
import { I18nextProvider } from 'react-i18next';
import { Route, Router, Routes } from 'react-router-dom';
import type { RemoteProps, RemoteServices, SlotFacts } from '../contract';
import { ServicesContext } from './services';
import { ThemeProvider } from '../ui/core';

/** The shell's services and all that comes with them, at the top of each React root: no context crosses one. */
export function ServicesProvider({ services, children }: { services: RemoteServices; children: ReactNode }) {
  const { i18n, queryClient, ability, settings } = services;
  return (
    <ServicesContext value={services}>
      <I18nextProvider i18n={i18n}>
        <QueryClientProvider client={queryClient}>
          <AbilityProvider value={ability}>
            <ThemeProvider {...settings} look={settings}>
              {children}
            </ThemeProvider>
          </AbilityProvider>
        </QueryClientProvider>
      </I18nextProvider>
    </ServicesContext>
  );
}

type Props = RemoteProps & { App: ComponentType<SlotFacts> };

/** The pages of a remote below its base path, or its part in a slot. */
export const RemoteRoot = ({ App, basePath, location, navigator, services, slot }: Props) => (
  <ServicesProvider services={services}>
    <Router location={location} navigator={navigator}>
      {slot ? (
        <App {...slot} />
      ) : (
        <Routes>
          <Route path={`${basePath}/*`} element={<App />} />
        </Routes>
      )}
    </Router>
  </ServicesProvider>
);
