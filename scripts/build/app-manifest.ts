/** The web app manifest and its icons, with which a browser installs the pool as an app. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { PALETTES } from '../../shared/src/ui/core/theme/palette';
import { filesBelow, hashOf, ROOT, writeFileWhole, writeJson } from './files';

const ICONS = path.join(ROOT, 'shell/src/icons');

/** iOS asks for it at this address when no page names another. */
const TOUCH_ICON = 'apple-touch-icon.png';

export function publishAppManifest(shell: string): void {
  writeFileWhole(path.join(shell, TOUCH_ICON), readFileSync(path.join(ICONS, TOUCH_ICON)));
  const urls = new Map(
    filesBelow(ICONS).map((file) => {
      const content = readFileSync(path.join(ICONS, file));
      const { name, ext } = path.parse(file);
      const asset = `${name}.${hashOf([content]).slice(0, 8)}${ext}`;
      writeFileWhole(path.join(shell, 'assets', asset), content);
      return [name, `/assets/${asset}`] as const;
    }),
  );
  const icon = (name: string, size: number, purpose: 'any' | 'maskable') => ({
    src: urls.get(name),
    sizes: `${size}x${size}`,
    type: 'image/png',
    purpose,
  });
  writeJson(path.join(shell, 'manifest.webmanifest'), {
    id: '/',
    name: 'Mining Pool',
    short_name: 'Pool',
    description: 'Hashrate, workers and payments of a mining pool',
    lang: 'en',
    // The name is shown as it is written, also in a right-to-left system.
    dir: 'auto',
    start_url: '/',
    scope: '/',
    display: 'standalone',
    background_color: PALETTES.dark.bg,
    theme_color: PALETTES.dark.bg,
    icons: [icon('icon-192', 192, 'any'), icon('icon-512', 512, 'any'), icon('icon-maskable', 512, 'maskable')],
  });
}
