import * as React from 'react';
import { flushSync } from 'react-dom';
import * as ReactDOMClient from 'react-dom/client';
import singleSpaReact from 'single-spa-react';
import type { MountProps, RemoteLifecycles, SlotFacts } from '../contract';
import { RemoteRoot } from './remote-root';

/** A page of the remote threw while it rendered: the outlet shows the failure panel. */
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

/** Renders the first page in slices, so that the browser can answer, the next ones at once and unflickered. */
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

/** `App`: the remote's `<Routes>`. Without the error boundary an early error would leave `mount` pending. */
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

/** `Part`: what `src/slots/<part>.tsx` shows in a place of a page (docs/teams.md, "Slots"). */
export const defineSlot = defineRemote as (Part: React.ComponentType<SlotFacts>) => RemoteLifecycles;
