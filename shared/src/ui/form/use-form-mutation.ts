import { useMutation, useQueryClient, type QueryKey, type UseMutationResult } from '@tanstack/react-query';
import { useId } from 'react';
import { flushSync } from 'react-dom';
import type { ApiClient } from '../../api/client';
import { useApi } from '../../react/services';
import { useErrorText, useToasts } from '../core';

/** What a form does once its change is made. */
export type OnSuccess<Data> = {
  /** The toast. */
  said?(data: Data): string;
  onDone?(data: Data): void;
  /** The element that gets the focus once `onDone` has changed the page, when the one that had it is gone or disabled. */
  focus?(): HTMLElement | null | undefined;
};
type FormMutation<Data, Variables> = OnSuccess<Data> & {
  send(api: ApiClient, variables: Variables): Promise<Data>;
  /** Keys of queries that are read again; also when it was refused, because something has changed then. */
  reads?: readonly QueryKey[];
};

/** A change that a form sends; `api` asks for the password where it must. `text`: what to say about its error. */
export function useFormMutation<Data, Variables = void>({
  send,
  reads = [],
  said,
  onDone,
  focus,
}: FormMutation<Data, Variables>): UseMutationResult<Data, Error, Variables> & { text: string | null } {
  const api = useApi();
  const client = useQueryClient();
  const toasts = useToasts();
  const readAgain = () => Promise.all(reads.map((queryKey) => client.invalidateQueries({ queryKey })));
  const mutationKey = [useId()];
  const mutation = useMutation({
    mutationKey,
    mutationFn: (variables: Variables) => send(api, variables),
    onSuccess: async (data) => {
      if (said) toasts.success(said(data));
      const had = document.activeElement;
      flushSync(() => onDone?.(data));
      if (focus) keepFocus(focus, had);
      const hasActed = watchUser();
      await readAgain();
      // A dialog may be gone only now, and has given the focus to what opened it: a row that goes next. A user who has
      // gone on from there is not called back.
      if (focus) requestAnimationFrame(() => keepFocus(focus, hasActed() ? document.body : had));
    },
    onError: readAgain,
  });
  const text = useErrorText(mutation.error);
  const mutate: typeof mutation.mutate = (...args) => {
    // The second click of a double click comes before React has disabled the button.
    if (client.isMutating({ mutationKey }) === 0) mutation.mutate(...args);
  };
  return { ...mutation, mutate, text };
}

/** Moves the focus to `place` when what had it is gone, or no element of the page that can be used has it. */
function keepFocus(place: () => HTMLElement | null | undefined, had: Element | null): void {
  const { activeElement, body } = document;
  if (!had?.isConnected || !activeElement || activeElement === body || activeElement.matches(':disabled'))
    place()?.focus();
}

/** Tells whether the user has pressed a key or pointed at something since. */
function watchUser(): () => boolean {
  const acted = new AbortController();
  for (const type of ['keydown', 'pointerdown'])
    addEventListener(type, () => acted.abort(), { capture: true, signal: acted.signal });
  return () => acted.signal.aborted;
}

/** The page's heading: where the focus goes when the rows or buttons that had it are gone. */
export const pageHeading = (): HTMLElement | null => document.querySelector<HTMLElement>('main h1');
