// The API as the page asks it: same paths, parameters and answers as /v3. In: a path and its parameters. Out: the body, null
// where there is nothing to return (204), or an ApiError that says why not.

const root = '/explore/';

// Answers that are kept, so that going back to a place asks nothing again.
const keep = 120;

// ApiError is an answer that is not 200 or 204, or none at all. kind is the key of its sentence in words.js without "error.":
// session_ended, not_found, not_explained, not_compared, damaged_files, product, region, forbidden, too_many, unavailable, refused,
// server, network.
export class ApiError extends Error {
  constructor(kind, status, detail, retryAfter) {
    super(detail || kind);
    Object.assign(this, {name: 'ApiError', kind, status, detail, retryAfter});
  }
}

// createApi returns what asks. onRelease(digest) is called when an answer comes from another release than those before.
export function createApi({onRelease = () => {}} = {}) {
  const answers = new Map();
  let release = null;

  async function request(path, options) {
    const early = globalThis.ahead?.get(path); // by ahead.js, once
    globalThis.ahead?.delete(path);
    const response = await (early ?? fetch(path, options)).catch(error => {
      if (error.name === 'AbortError') throw error;
      throw new ApiError('network', 0);
    });
    notice(response.headers.get('Quartier-Release'));
    if (response.status === 204) return null;
    const body = await response.json().catch(() => ({}));
    if (response.ok) return body;
    throw failure(response, body);
  }

  function notice(digest) {
    if (!digest || digest === release) return;
    const first = release === null;
    release = digest;
    if (first) return;
    answers.clear();
    onRelease(digest);
  }

  function remembered(path) {
    if (!answers.has(path)) {
      if (answers.size >= keep) answers.delete(answers.keys().next().value);
      const answer = request(path);
      answers.set(path, answer);
      answer.catch(() => { if (answers.get(path) === answer) answers.delete(path); });
    }
    return answers.get(path);
  }

  return {
    // get asks /v3/{path}. Parameters that are null or undefined are left out, lists are joined by commas.
    get: (path, parameters) => remembered(root + 'api/' + path + query(parameters)),
    // post asks /v3/{path} with a body of JSON.
    post: (path, body) => request(root + 'api/' + path, {method: 'POST', headers: {'Content-Type': 'application/json'}, body: JSON.stringify(body)}),
    // explore asks what only the explorer has: explain, changes.
    explore: (path, parameters) => remembered(root + path + query(parameters)),
    // release asks what the release is; never from memory.
    async release() {
      const answer = await request(root + 'release.json', {cache: 'no-store'});
      release = answer.release;
      return answer;
    },
    // notice takes the release that an answer elsewhere, such as a tile, came from.
    notice,
  };
}

export function query(parameters = {}) {
  const all = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value === null || value === undefined || value === '') continue;
    all.set(name, Array.isArray(value) ? value.join(',') : String(value));
  }
  const text = all.toString();
  return text && '?' + text;
}

// failure is the error of an answer: by status, and for 401, which has three meanings, by code and detail.
export function failure(response, body) {
  const detail = body.detail || body.message || '';
  const seconds = parseInt(response.headers.get('Retry-After') ?? '', 10);
  return new ApiError(kindOf(response.status, body.code, detail), response.status, detail, Number.isNaN(seconds) ? null : seconds);
}

// Codes of the explorer that have sentences of their own, whatever their status.
const ownKinds = ['session_ended', 'not_explained', 'not_compared', 'damaged_files'];

function kindOf(status, code, detail) {
  if (ownKinds.includes(code)) return code;
  if (status === 401) return /region/.test(detail) ? 'region' : 'product';
  return {403: 'forbidden', 404: 'not_found', 429: 'too_many', 503: 'unavailable'}[status] ?? (status >= 500 ? 'server' : 'refused');
}
