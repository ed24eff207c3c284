import { render, waitFor } from '@testing-library/react';
import { useEffect } from 'react';
import type { ApiClient, RemoteServices } from '@pool/shared';
import { ServicesContext } from './services';
import { useOwnToken } from './use-own-token';

afterEach(() => jest.useRealTimers());

test('a token is asked for once in four minutes, for each origin', async () => {
  let asked = 0;
  const api = jest.fn(async (_call: string, { body }: { body: { origin: string } }) => {
    asked += 1;
    return { token: `${body.origin} ${asked}` };
  });
  let give: (() => Promise<string>) | undefined;
  function Part({ origin }: { origin: string }) {
    const token = useOwnToken(origin);
    useEffect(() => {
      give = token;
    }, [token]);
    return null;
  }
  const services = { api: api as unknown as ApiClient } as RemoteServices;
  const page = (origin: string) => (
    <ServicesContext value={services}>
      <Part origin={origin} />
    </ServicesContext>
  );
  const { rerender } = render(page('https://a.example'));
  await waitFor(() => expect(give).toBeDefined());
  jest.useFakeTimers();
  const token = () => give?.();
  expect([await token(), await token()]).toEqual(['https://a.example 1', 'https://a.example 1']);
  jest.setSystemTime(Date.now() + 241_000);
  expect(await token()).toBe('https://a.example 2');
  rerender(page('https://b.example'));
  expect(await token()).toBe('https://b.example 3');
  expect(api).toHaveBeenCalledWith('POST /remotes/token', { body: { origin: 'https://b.example' } });
});
