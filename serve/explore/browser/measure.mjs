// Times and bytes of the page over a release: cold load, clicks, long tasks, and the heap while somebody looks around. Run on an idle
// machine as: QUARTIER_CHROMIUM=… QUARTIER_LINK=… node measure.mjs LAT,LNG [MINUTES]; MINUTES is how long the heap is watched.
import { leave, panelShown, released, shared, visit } from './open.mjs';

const [lat, lng] = process.argv[2].split(',').map(Number), minutes = Number(process.argv[3] ?? 0);
const site = await released(), sorted = values => values.toSorted((a, b) => a - b), median = values => sorted(values)[values.length >> 1];
const kB = bytes => Math.round(bytes / 1000) + ' kB', ms = time => Math.round(time) + ' ms';

// longTasks keeps how long tasks over 50 ms took, which the browser reports.
const longTasks = () => {
  globalThis.tasks = [];
  new PerformanceObserver(list => { for (const one of list.getEntries()) globalThis.tasks.push(one.duration); }).observe({ type: 'longtask', buffered: true });
};

async function opened() {
  const session = await visit(site), page = await session.context.newPage();
  await session.context.addInitScript(longTasks);
  const devtools = await session.context.newCDPSession(page), kinds = {}, types = {};
  const count = source => {
    source.on('Network.responseReceived', ({ requestId, response }) => { types[requestId] = /maplibre/.exec(response.url)?.[0] ?? /\.mvt|api|\.js\b/.exec(response.url)?.[0] ?? 'other'; });
    source.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => { kinds[types[requestId]] = (kinds[types[requestId]] ?? 0) + encodedDataLength; });
  };
  await devtools.send('Network.enable');
  count(devtools);
  // The worker of the map is loaded by the browser on its own behalf.
  session.context.on('response', response => { if (/worker/.test(response.url())) kinds.worker = Number(response.headers()['content-length']); });
  await page.goto(`${session.origin}/explore/#at=${lat},${lng}&map=13/${lat}/${lng}`);
  await panelShown(page);
  await page.waitForSelector('#map canvas');
  await page.waitForLoadState('networkidle');
  const paint = await page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0].startTime);
  return { session, page, devtools, kinds, paint };
}

const paints = [];
for (let i = 0; i < 5; i++) {
  const { session, page, kinds, paint } = await opened();
  paints.push(paint);
  if (i === 0) console.log('cold load by kind:', Object.entries(kinds).map(([kind, bytes]) => kind + ' ' + kB(bytes)).join(', '), 'in all', kB(Object.values(kinds).reduce((a, b) => a + b)),
    '; long tasks', (await page.evaluate(() => globalThis.tasks)).map(ms).join(', '));
  await leave(session, { refused: true });
}
console.log('first paint:', paints.map(ms).join(', '), 'median', ms(median(paints)));

const { session, page, devtools } = await opened();
const { x, y, width, height } = await page.locator('#map canvas').boundingBox();

// click clicks a part of the map and resolves to the ms until the panel of the place is there.
async function click(right, down) {
  await page.evaluate(() => {
    const old = document.querySelector('#panel [data-panel]');
    globalThis.answered = new Promise(done => document.querySelector('#map canvas').addEventListener('click', () => {
      const begun = performance.now();
      new MutationObserver((_, observer) => {
        const fresh = document.querySelector('#panel [data-panel]');
        if (!fresh || fresh === old) return;
        observer.disconnect();
        done(performance.now() - begun);
      }).observe(document.querySelector('#panel'), { childList: true, subtree: true });
    }, { once: true }));
  });
  await page.mouse.click(x + right * width, y + down * height);
  return page.evaluate(() => globalThis.answered);
}

await page.waitForTimeout(3000);
await page.evaluate(() => { globalThis.tasks.length = 0; });
const clicks = [];
for (let i = 0; i < 50; i++) {
  clicks.push(await click(0.3 + 0.4 * (i * 0.618 % 1), 0.3 + 0.4 * (i * 0.755 % 1)));
  await page.waitForTimeout(400);
}
console.log('click to panel, 50:', 'median', ms(median(clicks)), 'p90', ms(sorted(clicks)[45]), 'longest', ms(Math.max(...clicks)));
const tasks = await page.evaluate(() => globalThis.tasks);
console.log('long tasks while clicking:', tasks.length, 'longest', ms(Math.max(0, ...tasks)));

const heap = async () => {
  await devtools.send('HeapProfiler.collectGarbage');
  return (await devtools.send('Runtime.getHeapUsage')).usedSize / 1e6;
};
for (let minute = 0; minute <= minutes; minute++) {
  console.log(`heap after ${minute} minutes: ${(await heap()).toFixed(1)} MB`);
  for (const end = performance.now() + 60_000; minute < minutes && performance.now() < end;) {
    for (const id of ['people', 'pois', 'schools', 'scores']) {
      await page.click('#tab-' + id);
      await page.waitForTimeout(500);
      await click(0.3 + 0.4 * Math.random(), 0.3 + 0.4 * Math.random());
    }
    await page.mouse.move(x + width / 2, y + height / 2);
    await page.mouse.wheel(0, minute % 2 ? 200 : -200);
    await page.waitForTimeout(500);
  }
}
await leave(session, { refused: true });
await (await shared()).close();
