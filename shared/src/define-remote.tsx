import { AbilityProvider } from '@casl/react';
import { QueryClientProvider } from '@tanstack/react-query';
import * as React from 'react';
import * as ReactDOMClient from 'react-dom/client';
import { I18nextProvider } from 'react-i18next';
import { Route, Router, Routes } from 'react-router-dom';
import singleSpaReact from 'single-spa-react';
import type { MountProps, RemoteLifecycles, RemoteProps } from './contract';
import { ServicesProvider } from './services';
import { ThemeProvider } from './ui/core';

/**
 * Reported through `services.report` when a remote's page throws while rendering; the outlet then shows the failure
 * panel.
 */
export class RemoteCrash extends Error {
  override readonly name = 'RemoteCrash';
  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

function Crashed({ error, report }: { error: unknown; report: (error: unknown) => void }) {
  React.useEffect(() => report(new RemoteCrash(error)), [error, report]);
  return null;
}

/** The root of a remote. It provides the shell's singletons again, because React context does not cross roots. */
function RemoteRoot({ App, basePath, location, navigator, services }: RemoteProps & { App: React.ComponentType }) {
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

/**
 * The lifecycles of a remote. `App`: its `<Routes>`, relative to the remote's base path. The error boundary is
 * required: without it an error in the first render would leave `mount` pending forever.
 */
export function defineRemote(App: React.ComponentType): RemoteLifecycles {
  return singleSpaReact<MountProps>({
    React,
    ReactDOMClient,
    rootComponent: (props: MountProps) => <RemoteRoot {...props} App={App} />,
    errorBoundary: (error: unknown, _info: unknown, props: MountProps) => (
      <Crashed error={error} report={props.services.report} />
    ),
  }) as unknown as RemoteLifecycles;
}
