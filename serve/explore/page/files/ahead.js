// Asks what the page will ask first, while its modules are still on their way: the release, what is around the place of the link, and its
// scores, where the account may have them. api.js takes the answers by their paths; one that it does not ask for costs a request.
globalThis.ahead = new Map();
(async () => {
  const view = new URLSearchParams(location.hash.slice(1)), ask = path => {
    const answer = fetch('/explore/' + path);
    answer.catch(() => {}); // which api.js hands on
    globalThis.ahead.set('/explore/' + path, answer);
    return answer;
  };
  const release = ask('release.json'), id = /^g\d\d_[A-Za-z0-9_-]{1,32}$/.exec(view.get('in') ?? '')?.[0];
  const at = /^-?\d{1,3}(\.\d{1,7})?,-?\d{1,3}(\.\d{1,7})?$/.exec(view.get('at') ?? '')?.[0].split(',').map(Number);
  if (!id && (!at || Math.abs(at[0]) > 90 || Math.abs(at[1]) > 180)) return;
  const point = at && `lat=${at[0]}&lng=${at[1]}`;
  if (id) ['api/geographies/', 'parents/'].forEach(path => ask(path + id));
  if (point) ask('api/geographies?' + point);
  const language = /^(en|fr)$/.exec(view.get('lang') ?? '')?.[0] ?? (navigator.language?.startsWith('fr') ? 'fr' : 'en');
  const scores = ['scores', null].includes(view.get('panel')) && (await (await release).clone().json()).products?.includes('scores');
  if (scores) ask(id ? `api/scores/${id}?language=${language}` : `api/scores?${point}&language=${language}`);
})().catch(() => {});
