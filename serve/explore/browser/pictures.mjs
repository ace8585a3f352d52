// Pictures of the map of a real release, for people to look at: each place at some zooms, light and dark, in the folder that
// QUARTIER_PICTURES names. Run as: QUARTIER_CHROMIUM=… QUARTIER_LINK=… QUARTIER_PICTURES=DIR node pictures.mjs [PLACE …]
import { leave, mapOf, released, shared, visit } from './open.mjs';

const places = {
  delaware: [39.158, -75.524], pikesville: [39.374, -76.722], portland: [45.519, -122.678], seattle: [47.608, -122.335],
  washington: [38.897, -77.032], manhattan: [40.754, -73.984], ottawa: [45.4215, -75.697],
};
const chosen = process.argv.slice(2);

for (const [name, [lat, lng]] of Object.entries(places)) {
  if (chosen.length && !chosen.includes(name)) continue;
  for (const colorScheme of ['light', 'dark']) {
    const language = name === 'ottawa' && colorScheme === 'dark' ? 'fr' : 'en';
    const session = await visit(await released(), { language, drawn: true, colorScheme, size: { width: 1000, height: 700 } });
    const page = await session.context.newPage();
    for (const zoom of colorScheme === 'light' ? [4, 8, 11, 14, 17] : [11, 14]) {
      await page.goto('about:blank');
      await page.goto(`${session.origin}/explore/#map=${zoom}/${lat}/${lng}&lang=${language}${zoom === 14 && colorScheme === 'dark' ? '&heat=parks' : ''}`);
      await mapOf(page, () => {});
      await page.locator('#map').screenshot({ path: `${process.env.QUARTIER_PICTURES}/${name}-${zoom}${colorScheme === 'dark' ? '-dark' : ''}.jpg`, type: 'jpeg', quality: 62 });
    }
    await leave(session, { refused: true });
  }
}
await (await shared()).close();
