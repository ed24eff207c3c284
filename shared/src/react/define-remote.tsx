import * as React from 'react';
import { flushSync } from 'react-dom';
import * as ReactDOMClient from 'react-dom/client';
import singleSpaReact from 'single-spa-react';
import type { MountProps, RemoteLifecycles } from '../contract';
import { RemoteRoot } from './remote-root';

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

let isFirstPage = true;

/**
 * Renders the first page in slices, between which the browser scrolls and answers, and the next ones at once: nothing
 * is painted between the old page and the new one.
 */
const FIRST_IN_SLICES: typeof ReactDOMClient = {
  ...ReactDOMClient,
  createRoot(...options) {
    const root = ReactDOMClient.createRoot(...options);
    let isFirst = true;
    return {
      render(page) {
        if (!isFirst) return root.render(page);
        isFirst = false;
        if (isFirstPage) React.startTransition(() => root.render(page));
        else flushSync(() => root.render(page));
        isFirstPage = false;
      },
      unmount: () => root.unmount(),
    };
  },
};

/**
 * The lifecycles of a remote. `App`: its `<Routes>`, relative to the remote's base path. The error boundary is
 * required: without it an error in the first render would leave `mount` pending forever.
 */
export function defineRemote(App: React.ComponentType): RemoteLifecycles {
  return singleSpaReact<MountProps>({
    React,
    ReactDOMClient: FIRST_IN_SLICES,
    rootComponent: (props: MountProps) => <RemoteRoot {...props} App={App} />,
    errorBoundary: (error: unknown, _info: unknown, props: MountProps) => (
      <Crashed error={error} report={props.services.report} />
    ),
  }) as unknown as RemoteLifecycles;
}
