/** Browser and kind of device from a User-Agent header, for a user's list of sessions. */
const BROWSERS: [name: string, pattern: RegExp][] = [
  ['Edge', /Edg(?:A|iOS)?\/([\d.]+)/],
  ['Opera', /OPR\/([\d.]+)/],
  ['Samsung Internet', /SamsungBrowser\/([\d.]+)/],
  ['Firefox', /(?:Firefox|FxiOS)\/([\d.]+)/],
  ['Chrome', /(?:Chrome|CriOS)\/([\d.]+)/],
  ['Safari', /Version\/([\d.]+).*Safari/],
];
const SYSTEMS: [name: string, pattern: RegExp][] = [
  ['iPhone', /iPhone/],
  ['iPad', /iPad/],
  ['Android', /Android/],
  ['Windows', /Windows/],
  ['Macintosh', /Mac OS X/],
  ['Linux', /Linux/],
];

export function deviceOf(userAgent: string | null) {
  const text = userAgent ?? '';
  const browser = BROWSERS.find(([, pattern]) => pattern.test(text));
  return {
    browser_name: browser?.[0] ?? '',
    browser_version: (browser && browser[1].exec(text)?.[1]) ?? '',
    device_type: SYSTEMS.find(([, pattern]) => pattern.test(text))?.[0] ?? '',
    is_mobile: /Mobile|iPhone|Android/.test(text),
  };
}
