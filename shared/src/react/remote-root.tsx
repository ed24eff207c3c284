import { AbilityProvider } from '@casl/react';
import { QueryClientProvider } from '@tanstack/react-query';
import type { ComponentType } from 'react';
import { I18nextProvider } from 'react-i18next';
import { Route, Router, Routes } from 'react-router-dom';
import type { RemoteProps } from '../contract';
import { ServicesProvider } from './services';
import { ThemeProvider } from '../ui/core';

/** The root of a remote. It provides the shell's singletons again, because React context does not cross roots. */
export function RemoteRoot({ App, basePath, location, navigator, services }: RemoteProps & { App: ComponentType }) {
  const { settings } = services;
  return (
    <ServicesProvider services={services}>
      <I18nextProvider i18n={services.i18n}>
        <QueryClientProvider client={services.queryClient}>
          <AbilityProvider value={services.ability}>
            <ThemeProvider {...settings} look={settings}>
              <Router location={location} navigator={navigator}>
                <Routes>
                  <Route path={`${basePath}/*`} element={<App />} />
                </Routes>
              </Router>
            </ThemeProvider>
          </AbilityProvider>
        </QueryClientProvider>
      </I18nextProvider>
    </ServicesProvider>
  );
}
