// Runs before the first paint: mode, language and direction without a flash (settings/settings.ts, shared/src/i18n say the same).
(function (root) {
  var stored = function (key) { try { return localStorage.getItem(key); } catch { return null; } };
  var mode = 'dark';
  try { mode = JSON.parse(stored('settings')).mode || mode; } catch { /* defaults */ }
  var dark = mode === 'system' ? matchMedia('(prefers-color-scheme: dark)').matches : mode !== 'light' && mode !== 'semi-dark';
  root.dataset.mode = dark ? 'dark' : 'light';
  if (mode === 'semi-dark') root.dataset.nav = 'dark';
  var wanted = (stored('i18nextLng') || navigator.language || 'en').split('-')[0].toLowerCase();
  var language = ['en', 'ru', 'fr', 'ar'].indexOf(wanted) < 0 ? 'en' : wanted;
  root.lang = language;
  root.dir = language === 'ar' ? 'rtl' : 'ltr';
})(document.documentElement);
// The identity library's mark of a signed-in browser: the landing page is for the others.
if (location.pathname === '/' && /(^|; )__client_uat(_[^=]*)?=[1-9]/.test(document.cookie)) location.replace('/dashboard/');
