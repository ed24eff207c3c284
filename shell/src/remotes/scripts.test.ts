import { markRetry, prepareScript, rememberHashes } from './scripts';

const script = (src: string): HTMLScriptElement => Object.assign(document.createElement('script'), { src });

it('gives a known script its integrity, whatever its query, and lets no unknown one of ours run', () => {
  rememberHashes({ '/remotes/a/1/x.js': 'sha384-abc' });
  const known = script('/remotes/a/1/x.js');
  prepareScript(known);
  expect(known.integrity).toBe('sha384-abc');
  const retried = script('/remotes/a/1/x.js?r=1');
  prepareScript(retried);
  expect(retried.integrity).toBe('sha384-abc');
  const unknown = script('/remotes/a/1/y.js');
  prepareScript(unknown);
  expect(unknown.integrity).toMatch(/^sha384-A{64}$/);
  const foreign = script('https://elsewhere.example/remotes/a/1/y.js');
  prepareScript(foreign);
  expect(foreign.integrity).toBeFalsy();
});

it('asks for the scripts of a retried remote under new addresses, and for no others', () => {
  const hanging = document.head.appendChild(script('/remotes/b/1/chunk.js'));
  markRetry('/remotes/b/1/remoteEntry.js', 2);
  expect(hanging.isConnected).toBe(false);
  const chunk = script('/remotes/b/1/chunk.js');
  prepareScript(chunk);
  expect(new URL(chunk.src).search).toBe('?r=2');
  const other = script('/remotes/c/1/chunk.js');
  prepareScript(other);
  expect(new URL(other.src).search).toBe('');
});

it('leaves foreign scripts alone', () => {
  const foreign = script('https://elsewhere.example/remotes/b/1/chunk.js');
  prepareScript(foreign);
  expect(foreign.src).toBe('https://elsewhere.example/remotes/b/1/chunk.js');
});
