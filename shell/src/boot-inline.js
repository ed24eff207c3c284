// Runs before the first paint, inline in the page: mode, language and direction without a flash
// (settings/settings.ts and shared/src/i18n use the same rules), and the first API calls while the scripts download.
// scripts/build/pages.ts inserts LANGUAGES, RIGHT_TO_LEFT and TEXTS. TEXTS: the message for a script that does not
// load, and its button's text, by language.
/* global LANGUAGES, RIGHT_TO_LEFT, TEXTS */
(function (root) {
  var stored = function (key) {
    try {
      return localStorage.getItem(key);
    } catch {
      return null;
    }
  };
  var settings = {};
  try {
    settings = JSON.parse(stored('settings')) || settings;
  } catch {
    /* defaults */
  }
  var mode = settings.mode;
  var dark =
    mode === 'system' ? matchMedia('(prefers-color-scheme: dark)').matches : mode !== 'light' && mode !== 'semi-dark';
  root.dataset.mode = dark ? 'dark' : 'light';
  if (mode === 'semi-dark') root.dataset.nav = 'dark';
  root.dataset.collapsed = settings.navCollapsed === true;
  root.dataset.content = settings.contentWidth === 'full' ? 'full' : 'boxed';
  var wanted = (stored('i18nextLng') || navigator.language || 'en').split('-')[0].toLowerCase();
  var language = LANGUAGES.indexOf(wanted) < 0 ? 'en' : wanted;
  root.lang = language;
  var direction = settings.direction;
  root.dir =
    direction === 'ltr' || direction === 'rtl' ? direction : RIGHT_TO_LEFT.indexOf(language) < 0 ? 'ltr' : 'rtl';

  var meta = function (name) {
    return document.querySelector('meta[name=pool-' + name + ']');
  };
  root.dataset.shape = meta('shape') ? meta('shape').content : 'charts';
  // The page may hold the first view of its remote: shown, if it was rendered for a browser like this one
  // (first-view/facts.ts).
  var facts = meta('view') && JSON.parse(meta('view').content);
  if (
    facts &&
    facts.language === language &&
    facts.direction === root.dir &&
    facts.mode === root.dataset.mode &&
    facts.width === innerWidth &&
    'shadowRootMode' in HTMLTemplateElement.prototype
  )
    root.dataset.view = 'on';
  if (facts && facts.width === innerWidth) root.dataset.plot = facts.plot;
  // If one of the page's own scripts does not load, no other code can report it.
  addEventListener(
    'error',
    function (event) {
      var place = document.querySelector('.sk');
      if (!place || event.target.tagName !== 'SCRIPT') return;
      var texts = TEXTS[language];
      place.className = 'sk-failed';
      place.removeAttribute('aria-hidden');
      place.setAttribute('role', 'alert');
      place.textContent = texts[0] + ' ';
      var link = place.appendChild(document.createElement('a'));
      link.href = location.href;
      link.textContent = texts[1];
    },
    true,
  );

  // The first number and date of a language load its data, which all threads share, on a phone for a tenth of a second:
  // a worker does it while the scripts download.
  var warmUp = function (language) {
    new Intl.NumberFormat(language).format(0);
    new Intl.DateTimeFormat(language, {
      day: 'numeric',
      month: 'short',
      hour: '2-digit',
      minute: '2-digit',
      timeZone: 'UTC',
    }).format(0);
    close();
  };
  new Worker(URL.createObjectURL(new Blob(['(' + warmUp + ')("' + language + '")'])));

  // Cookies of the identity library: the user is signed in, and the session's token (shell/src/auth/early-session.ts).
  var signedIn = /(^|; )__client_uat(_[^=]*)?=[1-9]/.test(document.cookie);
  var session = /(?:^|; )__session=([^;]+)/.exec(document.cookie);
  // The landing page makes other calls; a saved page has no home in its head.
  if (location.pathname === '/' && signedIn && meta('home')) return location.replace(meta('home').content);
  var early = (window.earlyRequests = {});
  // With its first view a page has the answers it was made from.
  var given = document.getElementById('pool-held');
  var held = (window.ssrAnswers = given && JSON.parse(given.textContent));
  Object.keys(held ? held.answers : {}).forEach(function (url) {
    var type = { 'content-type': 'application/json' };
    early[url] = Promise.resolve(new Response(JSON.stringify(held.answers[url]), { headers: type }));
  });
  var ask = function (url, headers) {
    if (early[url]) return;
    early[url] = fetch(url, { headers: headers });
    early[url].catch(function () {
      /* asked again later (shared/src/api/early-requests.ts) */
    });
  };
  var texts = '/locales/' + (location.pathname === '/' ? 'landing.' : '');
  ask(texts + language + '.json', {});
  if (language !== 'en') ask(texts + 'en.json', {});
  // An admin who looks at a user's pages asks for the user's data, not for the own; a saved page gets kept answers
  // (service-worker/saved-page.ts).
  if (!signedIn || !session || meta('saved') || /^\/\w+\/view\//.test(location.pathname)) return;
  // Until the palette's code is there (commands/idle-features.tsx), which opens it then.
  addEventListener('keydown', function (event) {
    if (root.dataset.palette === 'ready' || !(event.ctrlKey || event.metaKey) || event.key !== 'k') return;
    event.preventDefault();
    root.dataset.palette = 'wanted';
  });
  var headers = { accept: 'application/json', authorization: 'Bearer ' + session[1] };
  ask('/api/getUserInfo/', headers);
  ask('/api/subAccounts/', headers);
  // The first calls of the page's remote (`prefetchCalls` in remote.json); the server wrote them into a meta tag
  // above.
  var first = meta('first');
  if (!first) return;
  var query = new URLSearchParams(location.search);
  var defaults = JSON.parse(first.dataset.defaults);
  JSON.parse(first.content).forEach(function (url) {
    if (url.indexOf('/api/') === 0)
      ask(
        url.replace(/\{(\w+)(?:=(\w+))?\}/g, function (_, name, fallback) {
          return encodeURIComponent(query.get(name) || fallback || defaults[name]);
        }),
        headers,
      );
  });
})(document.documentElement);
