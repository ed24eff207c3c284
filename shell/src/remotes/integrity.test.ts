import { markRetry, prepareFile, rememberHashes } from './integrity';

const script = (src: string): HTMLScriptElement => Object.assign(document.createElement('script'), { src });

it('adds the integrity of a known script, whatever its query, and refuses unknown ones of this origin', () => {
  rememberHashes({ '/remotes/a/1/x.js': 'sha384-abc' });
  const known = script('/remotes/a/1/x.js');
  prepareFile(known);
  expect(known.integrity).toBe('sha384-abc');
  const retried = script('/remotes/a/1/x.js?r=1');
  prepareFile(retried);
  expect(retried.integrity).toBe('sha384-abc');
  const unknown = script('/remotes/a/1/y.js');
  prepareFile(unknown);
  expect(unknown.integrity).toMatch(/^sha384-A{64}$/);
  const foreign = script('https://elsewhere.example/remotes/a/1/y.js');
  prepareFile(foreign);
  expect(foreign.integrity).toBeFalsy();
});

it('adds the integrity of the stylesheets of remotes', () => {
  rememberHashes({ '/remotes/a/1/x.css': 'sha384-def' });
  const style = (href: string): HTMLLinkElement => Object.assign(document.createElement('link'), { href });
  const known = style('/remotes/a/1/x.css');
  prepareFile(known);
  expect(known.integrity).toBe('sha384-def');
  const unknown = style('/remotes/a/1/y.css');
  prepareFile(unknown);
  expect(unknown.integrity).toMatch(/^sha384-A{64}$/);
  const shells = style('/assets/1.css');
  prepareFile(shells);
  expect(shells.integrity).toBeFalsy();
});

it('requests the scripts of a retried remote, and no others, under new URLs', () => {
  const hanging = document.head.appendChild(script('/remotes/b/1/chunk.js'));
  markRetry('/remotes/b/1/remoteEntry.js', 2);
  expect(hanging.isConnected).toBe(false);
  const chunk = script('/remotes/b/1/chunk.js');
  prepareFile(chunk);
  expect(new URL(chunk.src).search).toBe('?r=2');
  const other = script('/remotes/c/1/chunk.js');
  prepareFile(other);
  expect(new URL(other.src).search).toBe('');
});

it('does not change foreign scripts', () => {
  const foreign = script('https://elsewhere.example/remotes/b/1/chunk.js');
  prepareFile(foreign);
  expect(foreign.src).toBe('https://elsewhere.example/remotes/b/1/chunk.js');
});
